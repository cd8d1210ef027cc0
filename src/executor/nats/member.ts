/** Executors as they present themselves on a subject. */
import { isObject } from '../../protocol/jsonrpc';
import type { MemberStatus } from './leastLoaded';

const COUNTS = ['running', 'capacity', 'load'] as const;

export const encodeMember = (member: MemberStatus): Uint8Array => Buffer.from(JSON.stringify(member));

/** undefined for what is no status of an executor. */
export const decodeMember = (data: Uint8Array): MemberStatus | undefined => {
  const value = parsed(Buffer.from(data).toString());
  if (!isObject(value)) return undefined;
  const { executor, instance } = value;
  const counts = COUNTS.map((name) => value[name]);
  if (typeof executor !== 'string' || typeof instance !== 'string') return undefined;
  if (!counts.every((count) => typeof count === 'number' && count >= 0)) return undefined;
  const [running, capacity, load] = counts as [number, number, number];
  return { executor, instance, running, capacity, load };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
