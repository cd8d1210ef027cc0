/** Makes the picture of a session: each message is a marble, each call a span from its request to its end. */
import { toVisible } from '../../io/log/toPlain';
import type { Entry } from '../format/tape';
import type { LaneData } from '../page/data';
import { GROUPS } from '../page/palette';
import { endOf } from '../session/endOf';
import { seamOutcomeOf } from '../session/pairSeamCalls';
import type { IndexedEntry, SessionIndex } from '../session/sessionIndex';
import { assignLetters } from './assignLetters';
import type { Chart, ChartMarble, Drawn, Ends, Look, Span } from './chart';
import { isDrawn } from './isDrawn';
import { type LogEntry, lookOfLog, lookOfMessage, lookOfSeam } from './lookOf';
import { kindsWithLane, OTHER_KIND } from './notificationKinds';
import { toFacts } from './toFacts';

/**
 * The picture of a session. Small letters are the client's, capitals the server's; a response has the letter of its request,
 * `!` is an error, `x` a cancel, `?` a line that is not a message. A run of deltas, and of events of one call at an inner
 * seam, is one marble.
 */
export const toChart = (index: SessionIndex): Chart => {
  const drawn = toLooks(index);
  const { runs, runOf } = joinRuns(drawn);
  const { lanes, laneOf } = toLanes(drawn.map(({ look }) => look));
  const symbols = assignLetters(drawn.map(({ look }) => look.sign));
  const firsts = firstsOf(runOf);
  const marbles = runs.map((run, i) => {
    const first = firsts[i] ?? 0;
    return toMarble(run, laneOf[first] ?? 0, symbols[first] ?? '');
  });
  const places = toPlaces(drawn, runOf);
  const spans = withTiers(toSpans(index, places), (marble) => marbles[marble]?.lane ?? 0);
  const { entries, threads } = index;
  const facts = toFacts(index, { lastedMs: marbles.at(-1)?.untilMs ?? 0, spans });
  return { entries, lanes, marbles, spans, threads, ends: endsOf(index, places), facts };
};

/** The first look of each run. */
const firstsOf = (runOf: readonly number[]): number[] =>
  runOf.flatMap((run, look) => (run === runOf[look - 1] ? [] : [look]));

const toMarble = (
  { first: { look, entry, part }, thread, ...times }: Run,
  lane: number,
  symbol: string,
): ChartMarble => {
  const { atMs, untilMs, count } = times;
  const { name, mark } = look;
  return { atMs, untilMs, lane, symbol, name: shortName(name), mark, first: entry, count, part, thread };
};

/** Longer names are cut: they are drawn many times, and the message has the whole of them. */
const MAX_NAME = 200;

const shortName = (name: string): string => toVisible(name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);

const toPlaces = (drawn: readonly Drawn[], runOf: readonly number[]): Places => {
  const ofMessage: number[] = [];
  const ofEntry: number[] = [];
  drawn.forEach(({ message, entry }, look) => {
    if (message !== undefined) ofMessage[message] = runOf[look] ?? 0;
    ofEntry[entry] ??= runOf[look] ?? 0;
  });
  return { ofMessage, ofEntry };
};

const endsOf = ({ inputEnded, exit }: SessionIndex, { ofEntry }: Places): Ends => ({
  ...(inputEnded !== undefined && { client: ofEntry[inputEnded] }),
  ...(exit !== undefined && { server: ofEntry[exit.entry] }),
});

/** What one marble stands for: `count` entries from that of `first` on, until `untilMs`. Times never go back. */
type Run = { first: Drawn; atMs: number; untilMs: number; count: number; thread?: number };

/** The runs in their order; `runOf` is the run of each look. */
export const joinRuns = (drawn: readonly Drawn[]): { runs: Run[]; runOf: number[] } => {
  const runs: Run[] = [];
  const runOf = drawn.map((one) => {
    const last = runs.at(-1);
    const atMs = Math.max(last?.untilMs ?? 0, one.t);
    if (last && goesOn(last, one)) {
      runs[runs.length - 1] = { ...last, untilMs: atMs, count: last.count + 1, thread: last.thread ?? one.thread };
    } else runs.push({ first: one, atMs, untilMs: atMs, count: 1, thread: one.thread });
    return runs.length - 1;
  });
  return { runs, runOf };
};

/** A message of a batch is a marble of its own. An entry between that is not drawn ends a run, whose entries are counted from its first. */
const goesOn = ({ first, count }: Run, { look, part, entry }: Drawn): boolean =>
  look.run !== undefined &&
  entry === first.entry + count &&
  part === undefined &&
  first.part === undefined &&
  first.look.group === look.group &&
  first.look.run === look.run;

/** What is drawn of a session, in its order: an entry once, a batch once for each message. What `isDrawn` excludes is left out. */
export const toLooks = (session: SessionIndex): Drawn[] => {
  const names = new Map<number, string>(); // of the requests so far, by call
  return session.entries.flatMap((entry, index): Drawn[] => {
    if (!isDrawn(entry.entry)) return [];
    const { t } = entry.entry;
    if (entry.messages.length === 0) return [{ entry: index, t, ...drawEntry(session, entry, index) }];
    return entry.messages.map((message): Drawn => {
      const look = lookOfMessage(message, names.get(message.owner ?? -1));
      if (message.call !== undefined) names.set(message.call, look.name);
      return { look, entry: index, t, part: message.part, message: message.index, thread: message.thread };
    });
  });
};

const drawEntry = (session: SessionIndex, { entry, seamCall }: IndexedEntry, index: number) => {
  const { dir, seam = 'mcp', call } = entry;
  if (seam === 'mcp') return { look: lookOfLog(toLogEntry(session, entry, index)) };
  return {
    look: lookOfSeam({ dir, seam, call, outcome: seamOutcomeOf(entry) }),
    thread: session.seamCalls[seamCall ?? -1]?.thread,
  };
};

const toLogEntry = ({ inputEnded }: SessionIndex, { dir, line }: Entry, index: number): LogEntry => {
  if (index === inputEnded) return { kind: 'ended', name: 'the input of the client ended' };
  if (dir === 'exit') {
    const { text, isFailure } = endOf(line);
    return { kind: isFailure ? 'failed' : 'ended', name: `the server ended ${text}` };
  }
  return dir === 'err' ? { kind: 'stderr', name: 'stderr' } : { kind: 'note', name: dir };
};

/** Where the messages and the entries of a session are drawn: their marbles. */
type Places = { ofMessage: readonly number[]; ofEntry: readonly number[] };

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

/** Decides the lanes of a picture: which there are, in which order, and their titles. */
const TITLES: Partial<Record<LaneData['group'], string>> = {
  request: 'client sends',
  answer: 'server responds',
  question: 'server requests',
  model: 'model',
  executor: 'executor',
  log: 'stderr, notes, end',
};

type Lane = Pick<LaneData, 'group' | 'key'>;

const titleOf = ({ group, key }: Lane): string =>
  group === 'event' && key === OTHER_KIND ? 'other events' : (TITLES[group] ?? toVisible(key));

const idOf = ({ group, key }: Lane): string => `${group} ${key}`;

/** The lanes by group, within a group in the order in which they are first used; `laneOf` is the lane of each look. */
export const toLanes = (looks: readonly Look[]): { lanes: LaneData[]; laneOf: number[] } => {
  const laneOfLook = toLaneOf(looks);
  const lanesOfLooks = looks.map(laneOfLook);
  const lanes = [...new Map(lanesOfLooks.map((lane) => [idOf(lane), lane])).values()].sort(
    (a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group),
  );
  const indices = new Map(lanes.map((lane, i) => [idOf(lane), i]));
  return {
    lanes: lanes.map((lane) => ({ ...lane, title: titleOf(lane) })),
    laneOf: lanesOfLooks.map((lane) => indices.get(idOf(lane)) ?? 0),
  };
};

/** The lane of a look: that of its kind, or the one that rare kinds share. */
const toLaneOf = (looks: readonly Look[]) => {
  const counts = new Map<string, number>();
  for (const { group, key } of looks) if (group === 'event') counts.set(key, (counts.get(key) ?? 0) + 1);
  const own = kindsWithLane(counts);
  return ({ group, key }: Look): Lane => ({ group, key: group !== 'event' || own.has(key) ? key : OTHER_KIND });
};
