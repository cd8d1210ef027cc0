/** Makes the calls of a session spans between marbles. */
import type { SessionIndex } from '../session/sessionIndex';
import type { Span } from './chart';
import { isDrawn } from './isDrawn';

/** Where the messages and the entries of a session are drawn: their marbles. */
export type Places = { ofMessage: readonly number[]; ofEntry: readonly number[] };

/** A span from each request to its response, else to its cancel, in the order of the requests. All are of tier 0. */
export const toSpans = ({ calls, seamCalls }: SessionIndex, { ofMessage, ofEntry }: Places): Span[] =>
  [
    ...calls.map(({ request, response, cancel, outcome }) =>
      toSpan({ from: ofMessage[request], to: ofMessage[response ?? cancel ?? -1], outcome }),
    ),
    ...seamCalls
      .filter(isDrawn)
      .map(({ request, last, outcome }) => toSpan({ from: ofEntry[request], to: ofEntry[last ?? -1], outcome })),
  ].sort((a, b) => a.from - b.from);

const toSpan = ({ from = 0, to, outcome }: { from?: number; to?: number; outcome: Span['outcome'] }): Span => ({
  from,
  outcome,
  tier: 0,
  ...(to !== undefined && { to }),
});

/** More calls at once than this are drawn over each other. */
const MAX_TIERS = 4;

/** The spans with a tier each: of those of one lane that overlap, each has the lowest that is free. */
export const withTiers = (spans: readonly Span[], laneOf: (marble: number) => number): Span[] => {
  const endsByLane = new Map<number, number[]>();
  return spans.map((span) => {
    const lane = laneOf(span.from);
    const ends = endsByLane.get(lane) ?? [];
    endsByLane.set(lane, ends);
    const free = Array.from({ length: MAX_TIERS }, (_, tier) => ends[tier] ?? -1).findIndex((end) => end < span.from);
    const tier = free < 0 ? MAX_TIERS - 1 : free;
    ends[tier] = Math.max(ends[tier] ?? -1, span.to ?? Number.POSITIVE_INFINITY);
    return { ...span, tier };
  });
};
