/** Puts the pictures of several sessions on one time line. */
import { toVisible } from '../../streams/text/visible';
import { durationOf } from '../page/labels';
import type { LaneData, StoryData } from '../page/model';
import { GROUPS } from '../page/palette';
import type { Chart, ChartMarble, Sign, Span } from './chart';
import { linkCalls, type StoryPart, type StoryPlace } from './storyParts';
import { assignLetters, toChart, withTiers } from './toChart';

type Piece = { part: StoryPart; chart: Chart };
/** A marble of a session, with the number of its session and its place there. */
type Placed = ChartMarble & { session: number; own: number };

/**
 * The picture of several sessions: lanes by server, all marbles in the order of their time, and links from the calls of an agent to the tapes of its servers.
 */
export const toStory = (parts: readonly StoryPart[]): Chart => {
  const pieces = parts.map((part): Piece => ({ part, chart: toChart(part.index) }));
  const { placed, originMs } = toPlaced(pieces);
  const { lanes, laneOf } = toLanes(pieces);
  const { threads, threadOf } = toThreads(pieces);
  const { entries, placeOf, tape, number } = toEntries(pieces, { placed, originMs });
  const marbles = withLetters(
    placed.map(({ session, own: _own, ...marble }) => ({
      ...marble,
      lane: laneOf(session, marble.lane),
      first: placeOf(session, marble.first),
      thread: threadOf(session, marble.thread),
    })),
  );
  const spans = withTiers(toSpans(pieces, placed), (marble) => marbles[marble]?.lane ?? 0);
  const marbleAt = marblesByEntry(marbles);
  const toMarble = ({ session, entry }: StoryPlace): number => marbleAt.get(placeOf(session, entry)) ?? -1;
  const links = linkCalls(parts)
    .map(({ from, to }) => [toMarble(from), toMarble(to)] as const)
    .filter(([from, to]) => from >= 0 && to >= 0);
  const story: StoryData = { originMs, tapes: parts.map(({ tape: name }) => toVisible(name)), tape, number, links };
  const facts = toFacts(pieces, { marbles, spans, story });
  return { entries, lanes, marbles, spans, threads, ends: {}, facts, story };
};

/** All marbles in the order of time, in ms since the first. */
const toPlaced = (pieces: readonly Piece[]): { placed: Placed[]; originMs: number } => {
  const originMs = pieces.reduce(
    (first, { part, chart }) => Math.min(first, part.startMs + (chart.marbles[0]?.atMs ?? 0)),
    Number.POSITIVE_INFINITY,
  );
  const placed = pieces.flatMap(({ part, chart }, session) =>
    chart.marbles.map((marble, own): Placed => {
      const lateMs = part.startMs - originMs;
      return { ...marble, session, own, atMs: marble.atMs + lateMs, untilMs: marble.untilMs + lateMs };
    }),
  );
  placed.sort((a, b) => a.atMs - b.atMs || a.session - b.session || a.own - b.own);
  return { placed, originMs };
};

const toSpans = (pieces: readonly Piece[], placed: readonly Placed[]): Span[] => {
  const marbleOf = placesOf(placed);
  return pieces
    .flatMap(({ chart }, session) =>
      chart.spans.map((span) => toSpan({ to: chart.marbles.length - 1, ...span }, (own) => marbleOf(session, own))),
    )
    .sort((a, b) => a.from - b.from);
};

/** A call that stays open ends with its session. */
const toSpan = ({ from, to, ...span }: Required<Span>, marbleOf: (own: number) => number): Span => ({
  ...span,
  from: marbleOf(from),
  to: marbleOf(to),
});

/** The place of each marble of a session in the story. */
const placesOf = (placed: readonly Placed[]) => {
  const places = new Map<number, number[]>();
  placed.forEach(({ session, own }, at) => {
    const ofSession = places.get(session) ?? [];
    places.set(session, ofSession);
    ofSession[own] = at;
  });
  return (session: number, own: number): number => places.get(session)?.[own] ?? 0;
};

/** The first marble of each entry. */
const marblesByEntry = (marbles: readonly ChartMarble[]): ReadonlyMap<number, number> => {
  const found = new Map<number, number>();
  marbles.forEach(({ first, count }, at) => {
    for (let entry = first; entry < first + count; entry += 1) if (!found.has(entry)) found.set(entry, at);
  });
  return found;
};

/** The entries in the order of their marbles, those of one marble together. */
const toEntries = (pieces: readonly Piece[], { placed, originMs }: { placed: readonly Placed[]; originMs: number }) => {
  const entries: Chart['entries'][number][] = [];
  const [tape, number]: [number[], number[]] = [[], []];
  const places = pieces.map(() => new Map<number, number>());
  for (const { session, first, count } of placed) {
    const { part, chart } = pieces[session] as Piece;
    for (let at = first; at < first + count; at += 1) {
      const own = chart.entries[at];
      if (own === undefined || places[session]?.has(at)) continue;
      places[session]?.set(at, entries.length);
      entries.push({
        lineNumber: entries.length + 1,
        entry: { ...own.entry, t: own.entry.t + part.startMs - originMs },
      });
      tape.push(session);
      number.push(own.lineNumber);
    }
  }
  return { entries, tape, number, placeOf: (session: number, at: number) => places[session]?.get(at) ?? -1 };
};

const toThreads = (pieces: readonly Piece[]) => {
  const threads = [...new Set(pieces.flatMap(({ chart }) => chart.threads))];
  const places = new Map(threads.map((thread, at) => [thread, at]));
  const threadOf = (session: number, own = -1) => places.get(pieces[session]?.chart.threads[own] ?? '');
  return { threads, threadOf };
};

/** Lanes of their own, with their signs in a terminal; all others of a session share one. */
const OWN: Partial<Record<LaneData['group'], { title: string; sign: string }>> = {
  request: { title: 'calls', sign: '>' },
  answer: { title: 'answers', sign: '<' },
  model: { title: 'model', sign: 'm' },
  executor: { title: 'executor', sign: 'x' },
};
const REST = { title: 'more', sign: '.' };

type StoryLane = LaneData & { order: number };

/** The lanes by agent and server, in the order in which these came; within one of them by group. */
const toLanes = (pieces: readonly Piece[]) => {
  const names = [...new Set(pieces.toSorted(agentFirst).map(({ part }) => part.name))];
  const shorts = shortNames(names);
  const lanes = new Map<string, StoryLane>();
  const idOf = ({ part: { name }, chart }: Piece, lane: number): string => {
    const group = chart.lanes[lane]?.group ?? 'log';
    const { title, sign } = OWN[group] ?? REST;
    const place = names.indexOf(name);
    const id = `${place} ${title}`;
    lanes.set(id, {
      key: `${shorts[place]} ${sign}`,
      title: `${shorts[place]} ${title}`,
      group: OWN[group] ? group : 'event',
      order: place * GROUPS.length + (OWN[group] ? GROUPS.indexOf(group) : GROUPS.length - 1),
    });
    return id;
  };
  const ids = pieces.map((piece) => piece.chart.lanes.map((_, lane) => idOf(piece, lane)));
  const sorted = [...lanes].toSorted(([, one], [, other]) => one.order - other.order);
  const places = new Map(sorted.map(([id], at) => [id, at]));
  return {
    lanes: sorted.map(([, { order: _order, ...lane }]) => lane),
    laneOf: (session: number, lane: number): number => places.get(ids[session]?.[lane] ?? '') ?? 0,
  };
};

/** What there is room for next to a lane, besides its sign or its title. */
const MAX_SHORT = 10;

/** Short names, each once: the last part of a path, cut; with a number if it is taken. */
const shortNames = (names: readonly string[]): string[] => {
  const taken = new Set<string>();
  return names.map((name, at) => {
    const own = toVisible(name.split('/').findLast((part) => part !== '') ?? name).slice(0, MAX_SHORT);
    const short = taken.has(own) ? `${own.slice(0, MAX_SHORT - 3)}${at}` : own;
    taken.add(short);
    return short;
  });
};

/** One letter for each name in all sessions. */
const withLetters = (marbles: readonly ChartMarble[]): ChartMarble[] => {
  const symbols = assignLetters(
    marbles.map(({ symbol, name }): Sign => {
      if (!/\p{L}/u.test(symbol) || symbol === 'x') return { kind: 'fixed', text: symbol };
      const size = symbol === symbol.toLowerCase() ? 'small' : 'capital';
      return { kind: 'letter', of: name.replace(/^response to /, ''), size };
    }),
  );
  return marbles.map((marble, at) => ({ ...marble, symbol: symbols[at] ?? marble.symbol }));
};

const agentFirst = (a: Piece, b: Piece): number =>
  Number(b.part.role === 'agent') - Number(a.part.role === 'agent') || a.part.startMs - b.part.startMs;

type Counted = { marbles: readonly ChartMarble[]; spans: readonly Span[]; story: StoryData };

const toFacts = (pieces: readonly Piece[], { marbles, spans, story }: Counted): Chart['facts'] => {
  const names = [...new Set(pieces.map(({ part }) => part.name))];
  const lastedMs = marbles.reduce((most, { untilMs }) => Math.max(most, untilMs), 0);
  return [
    ['servers', toVisible(names.join(', ').slice(0, MAX_CHARS))],
    ['sessions', String(pieces.length)],
    ['started', `${new Date(story.originMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ['lasted', durationOf(lastedMs)],
    ['calls', String(spans.length)],
    ['failed', String(spans.filter(({ outcome }) => outcome === 'failed').length)],
    ['links', String(story.links.length)],
  ];
};

const MAX_CHARS = 200;
