/** Assigns the server's lines to rows of marbles: overlapping calls get separate rows. */
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { joinDeltas } from '../session/joinDeltas';
import type { ServerLine } from '../session/sessionIndex';
import type { SelectedLine } from './selectLines';

/** A line of a session; a server line has the index of its row. */
export type LanedLine =
  | Exclude<SelectedLine, { side: 'server' }>
  | (Extract<SelectedLine, { side: 'server' }> & { lane: number });

/** The first and the last index of what belongs together. */
type Span = { from: number; to: number };

/** Gives each line of the server the first free lane. Order counts within a lane. Successive deltas in a lane become one. */
export const toLanes = (lines: readonly SelectedLine[]): LanedLine[] => {
  const spans = toSpans(lines);
  const lanes = assignLanes(spans);
  const laned = lines.map((one, at): LanedLine => {
    if (one.side !== 'server') return one;
    return { ...one, lane: lanes.get(ownerOf(one.line, at, spans)) ?? 0 };
  });
  return withJoinedDeltas(laned);
};

/** The span of each line of the client that has lines of the server, by its index. */
const toSpans = (lines: readonly SelectedLine[]): ReadonlyMap<number, Span> => {
  const spans = new Map<number, Span>();
  const places = new Map<number, number>();
  lines.forEach((one, at) => {
    if (one.side === 'client') places.set(one.index, at);
    if (one.side !== 'server' || one.line.link !== 'named') return;
    const { owner } = one.line;
    spans.set(owner, { from: spans.get(owner)?.from ?? places.get(owner) ?? at, to: at });
  });
  return spans;
};

/** The owner of lines that name no request while several calls run. */
const NO_OWNER = -2;

/** A line that names no request belongs to the running call; if several are running, to none. */
const ownerOf = ({ owner, link }: ServerLine, at: number, spans: ReadonlyMap<number, Span>): number => {
  if (link === 'named') return owner;
  const around = [...spans].filter(([, { from, to }]) => from < at && at < to);
  const [only] = around;
  if (around.length > 1) return NO_OWNER;
  return only ? only[0] : owner;
};

const assignLanes = (spans: ReadonlyMap<number, Span>): ReadonlyMap<number, number> => {
  const lanes = new Map<number, number>();
  const usedUntil: number[] = [];
  for (const [owner, { from, to }] of [...spans].sort(([, a], [, b]) => a.from - b.from)) {
    const free = usedUntil.findIndex((last) => last < from);
    const lane = free === -1 ? usedUntil.length : free;
    usedUntil[lane] = to;
    lanes.set(owner, lane);
  }
  return lanes.set(NO_OWNER, usedUntil.length);
};

/** The lines with each run of deltas in a lane as one delta, at the place of the first. */
const withJoinedDeltas = (lines: readonly LanedLine[]): LanedLine[] => {
  const ofServer = lines.filter((one) => one.side === 'server');
  const joined = new Map<ServerLine, ServerLine>();
  for (const lane of new Set(ofServer.map((one) => one.lane))) {
    const own = ofServer.filter((one) => one.lane === lane).map(({ line }) => ({ first: line, value: line.value }));
    for (const { first, value } of joinDeltas(own)) {
      joined.set(first, value === first.value ? first : { ...first, ...parseLine(JSON.stringify(value)) });
    }
  }
  return lines.flatMap((one): LanedLine[] => {
    if (one.side !== 'server') return [one];
    const line = joined.get(one.line);
    return line ? [{ ...one, line }] : [];
  });
};
