/** How much that was read lies in the stream of an executor before it is removed. */
import type { ReadTotals } from './outputAccount';

/** Of all processes together. */
export type ReadLimits = ReadTotals;

/** Of 524 MB of output a server took 1.34 s of processor time where 32 MB were removed at a time, and 1.13 s with these, in turn with each other. */
export const READ_LIMITS: ReadLimits = { bytes: 134_217_728, messages: 1_024 };

/** What was read takes an eighth of a stream that has a limit, where that is less; 0 is none. */
export const readLimitsOf = (maxStreamBytes: number): ReadLimits =>
  maxStreamBytes === 0 ? READ_LIMITS : { ...READ_LIMITS, bytes: Math.min(READ_LIMITS.bytes, maxStreamBytes / 8) };

/** Whether it is time to remove what was read. */
export const isMuchRead = ({ bytes, messages }: ReadTotals, limits: ReadLimits): boolean =>
  bytes >= limits.bytes || messages >= limits.messages;
