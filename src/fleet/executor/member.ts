/** The status that an executor sends, and which executor of a pool gets the next process. */
import { isObject } from '../../protocol/jsonrpc/json';
import { isPlainName } from '../../streams/text/trim';

/** The status of an executor. */
export type MemberStatus = {
  executor: string;
  instance: string;
  /** Number of running processes. */
  running: number;
  /** How many processes may run. */
  capacity: number;
  /** Load of the processors; 1 if all are busy. */
  load: number;
};

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

/** The member with the smallest share of its capacity in use, then with the smallest load; undefined if none has room. */
export const leastLoaded = <M extends MemberStatus>(members: readonly M[]): M | undefined =>
  members
    .filter(({ running, capacity }) => running < capacity)
    .reduce<M | undefined>((best, one) => (best === undefined || isLess(one, best) ? one : best), undefined);

const isLess = (one: MemberStatus, other: MemberStatus): boolean => {
  const parts = one.running / one.capacity - other.running / other.capacity;
  if (parts !== 0) return parts < 0;
  if (one.load !== other.load) return one.load < other.load;
  return one.executor < other.executor;
};
