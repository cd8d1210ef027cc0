/** Encodes and decodes the status that an executor sends. */
import { isObject } from '../../protocol/jsonrpc/json';
import { isPlainName } from '../../streams/text/trim';
import type { MemberStatus } from './leastLoaded';

const COUNTS = ['running', 'capacity', 'load'] as const;

/** The bytes in which a member of a pool reports its load. */
export const encodeMember = (member: MemberStatus): Uint8Array => Buffer.from(JSON.stringify(member));

/** undefined for what is not the status of an executor; its names become parts of subjects, so they must be plain names. */
export const decodeMember = (data: Uint8Array): MemberStatus | undefined => {
  const value = parsed(Buffer.from(data).toString());
  if (!isObject(value)) return undefined;
  const { executor, instance } = value;
  const counts = COUNTS.map((name) => value[name]);
  if (!isName(executor) || !isName(instance)) return undefined;
  if (!counts.every((count) => typeof count === 'number' && count >= 0)) return undefined;
  const [running, capacity, load] = counts as [number, number, number];
  return { executor, instance, running, capacity, load };
};

const isName = (value: unknown): value is string => typeof value === 'string' && isPlainName(value);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
