/** Owns which line of marbles each message of the server stands in: what belongs to calls that overlap is kept apart. */

import type { ToldLine } from '../session';
import { joinDeltas, parseLine } from '../session';
import type { Line } from './choose';

/** A line of the session, where the server's has its lane. */
export type LanedLine = Exclude<Line, { side: 'server' }> | { side: 'server'; told: ToldLine; lane: number };

/** What belongs together from its first place to its last. */
type Span = { from: number; to: number };

/**
 * Gives each line of the server the first lane that nothing else is using. Between lanes order is the server's own choice,
 * in a lane it is compared. Deltas that follow each other in a lane are one.
 */
export const toLanes = (lines: readonly Line[]): LanedLine[] => {
  const spans = toSpans(lines);
  const lanes = assign(spans);
  const laned = lines.map((line, at): LanedLine => {
    if (line.side !== 'server') return line;
    return { side: 'server', told: line.told, lane: lanes.get(ownerOf(line.told, at, spans)) ?? 0 };
  });
  return withoutPieces(laned);
};

const toSpans = (lines: readonly Line[]): Map<number, Span> => {
  const spans = new Map<number, Span>();
  const at = new Map<number, number>();
  lines.forEach((line, i) => {
    if (line.side === 'client') at.set(line.index, i);
    if (line.side !== 'server' || !line.told.tied) return;
    const { owner } = line.told;
    spans.set(owner, { from: spans.get(owner)?.from ?? at.get(owner) ?? i, to: i });
  });
  return spans;
};

/** What names no request belongs to the one that is under way, or where several are, to none. */
const FREE = -2;

const ownerOf = ({ owner, tied }: ToldLine, at: number, spans: ReadonlyMap<number, Span>): number => {
  if (tied) return owner;
  const around = [...spans].filter(([, { from, to }]) => from < at && at < to);
  const [only] = around;
  if (around.length > 1) return FREE;
  return only ? only[0] : owner;
};

const assign = (spans: ReadonlyMap<number, Span>): Map<number, number> => {
  const lanes = new Map<number, number>();
  const until: number[] = [];
  for (const [owner, { from, to }] of [...spans].sort(([, a], [, b]) => a.from - b.from)) {
    const free = until.findIndex((last) => last < from);
    const lane = free === -1 ? until.length : free;
    until[lane] = to;
    lanes.set(owner, lane);
  }
  return lanes.set(FREE, until.length);
};

/** The lines with each run of deltas in a lane as one, at the place of its first. */
const withoutPieces = (lines: readonly LanedLine[]): LanedLine[] => {
  const server = lines.filter((line) => line.side === 'server');
  const joined = new Map<ToldLine, ToldLine | undefined>(server.map(({ told }) => [told, undefined]));
  for (const lane of new Set(server.map((line) => line.lane))) {
    const own = server.filter((line) => line.lane === lane).map(({ told }) => ({ first: told, value: told.value }));
    for (const { first, value } of joinDeltas(own)) {
      joined.set(first, value === first.value ? first : { ...first, ...parseLine(JSON.stringify(value)) });
    }
  }
  return lines.flatMap((line): LanedLine[] => {
    if (line.side !== 'server') return [line];
    const told = joined.get(line.told);
    return told ? [{ ...line, told }] : [];
  });
};
