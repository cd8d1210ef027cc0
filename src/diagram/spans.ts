/** Owns pairing questions with their ends. */
import { idKey, isObject, type RequestId } from '../protocol/jsonrpc';
import type { TapeMessage } from '../session';
import type { Span } from './chart';

/** A call that is drawn; `name` is what was asked, `cancel` the marble that wants it ended. */
export type Call = { span: Span; name: string; cancel?: number };

/** The calls of one side by id: `open` wait for an answer, oldest first, `last` is the latest of an id. */
export type Calls = { open: Map<string, Call[]>; last: Map<string, Call> };

export const openCalls = (): Calls => ({ open: new Map(), last: new Map() });

/** Notes that the marble asks under an id, which may be 0 or ''. */
export const ask = ({ open, last }: Calls, key: string, from: number, name: string): Span => {
  const call: Call = { span: { from, outcome: 'open', tier: 0 }, name };
  const waiting = open.get(key);
  if (waiting) waiting.push(call);
  else open.set(key, [call]);
  last.set(key, call);
  return call.span;
};

/** Ends the oldest call that waits under an id, and gives it. */
export const answer = ({ open }: Calls, key: string, to: number, ended: 'well' | 'failed'): Call | undefined => {
  const call = open.get(key)?.shift();
  if (!call) return undefined;
  call.span.to = to;
  call.span.outcome = ended === 'failed' ? 'failed' : call.cancel === undefined ? 'answered' : 'cancelled';
  return call;
};

/** Notes that the marble cancels what waits under an id; it ends there unless an answer comes. */
export const cancel = ({ open }: Calls, key: string, at: number): Call | undefined => {
  const call = open.get(key)?.findLast((one) => one.cancel === undefined);
  if (!call) return undefined;
  call.cancel = at;
  call.span.to = at;
  call.span.outcome = 'cancelled';
  return call;
};

/** The key of what a cancel names. */
export const cancelledKey = (word: TapeMessage): string | undefined => {
  const params = 'params' in word && isObject(word.params) ? word.params : {};
  const id = params.requestId;
  return typeof id === 'string' || typeof id === 'number' ? idKey(id as RequestId) : undefined;
};

/** More calls at once than this are drawn over each other. */
const TIERS = 4;

/** Gives calls of one lane that overlap different tiers, the lowest that is free. */
export const setTiers = (spans: readonly Span[], laneOf: (marble: number) => number): void => {
  const endsOf = new Map<number, number[]>();
  for (const span of spans) {
    const lane = laneOf(span.from);
    const ends = endsOf.get(lane) ?? [];
    endsOf.set(lane, ends);
    const free = Array.from({ length: TIERS }, (_, tier) => ends[tier] ?? -1).findIndex((end) => end < span.from);
    span.tier = free < 0 ? TIERS - 1 : free;
    ends[span.tier] = Math.max(ends[span.tier] ?? -1, span.to ?? Number.POSITIVE_INFINITY);
  }
};
