/** Makes the picture of a session: each message is a marble, each call a span from its request to its end. */
import { lazy } from '../../streams/lazy';
import {
  accentedCapitals,
  freeLetter,
  lettersBetween,
  OTHER_CAPITALS,
  SMALL_LETTERS,
} from '../../streams/marbles/letters';
import { toVisible } from '../../streams/text/visible';
import type { LaneData } from '../page/model';
import { GROUPS } from '../page/palette';
import type { SessionIndex } from '../session/sessionIndex';
import { tasksOf } from '../session/sessionTasks';
import type { Chart, ChartMarble, Drawn, Ends, Look, Sign, Span } from './chart';
import { isDrawn, titleOfSeam, toLooks } from './looks';
import { toFacts } from './toFacts';

/**
 * The picture of a session. Small letters are the client's, capitals the server's; a response has the letter of its request, `!` is an error, `x` a
 * cancel, `?` a line that is not a message. A run of deltas, or of events of one call at an inner seam, is one marble.
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

/** Longer names are cut: they are drawn many times, and the message has the whole name. */
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

/** What one marble stands for: `count` entries from the entry of `first` on, until `untilMs`. Times never go back. */
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

/** Messages of a batch are separate marbles. An entry that is not drawn ends a run, as a run counts its entries from the first. */
const goesOn = ({ first, count }: Run, { look, part, entry }: Drawn): boolean =>
  look.run !== undefined &&
  entry === first.entry + count &&
  part === undefined &&
  first.part === undefined &&
  first.look.group === look.group &&
  first.look.run === look.run;

type Places = { ofMessage: readonly number[]; ofEntry: readonly number[] };

/**
 * A span from each request to its response, else to its cancel, in the order of the requests. The span of a call that was answered with a task goes on to
 * the end of the task. All are of tier 0.
 */
export const toSpans = (index: SessionIndex, { ofMessage, ofEntry }: Places): Span[] => {
  const tasks = new Map(tasksOf(index).map((task) => [task.call, task]));
  return [
    ...index.calls.map(({ request, response, cancel, outcome }, call) => {
      const task = tasks.get(call);
      const end = task === undefined ? (response ?? cancel) : task.end;
      return toSpan({ from: ofMessage[request], to: ofMessage[end ?? -1], outcome: task?.outcome ?? outcome });
    }),
    ...index.seamCalls
      .filter(isDrawn)
      .map(({ request, last, outcome }) => toSpan({ from: ofEntry[request], to: ofEntry[last ?? -1], outcome })),
  ].sort((a, b) => a.from - b.from);
};

const toSpan = ({ from = 0, to, outcome }: { from?: number; to?: number; outcome: Span['outcome'] }): Span => ({
  from,
  outcome,
  tier: 0,
  ...(to !== undefined && { to }),
});

/** Further calls at the same time are drawn over each other. */
const MAX_TIERS = 4;

/** The spans with their tiers: each has the lowest tier that no overlapping span of its lane has. */
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
  group === 'event' && key === OTHER_KIND
    ? 'other events'
    : (TITLES[group] ?? toVisible(group === 'seam' ? titleOfSeam(key) : key));

const idOf = ({ group, key }: Lane): string => `${group} ${key}`;

/** The lanes by group, within a group in the order of their first use; `laneOf` is the lane of each look. */
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

const toLaneOf = (looks: readonly Look[]) => {
  const counts = new Map<string, number>();
  for (const { group, key } of looks) if (group === 'event') counts.set(key, (counts.get(key) ?? 0) + 1);
  const own = kindsWithLane(counts);
  return ({ group, key }: Look): Lane => ({ group, key: group !== 'event' || own.has(key) ? key : OTHER_KIND });
};

/** If there are more kinds, the rarest share a lane. */
const MAX_KINDS = 8;
/** The kind of the rare notifications that share a lane. */
const OTHER_KIND = 'other';

/**
 * The most frequent kinds, which get separate lanes.
 * @param counts messages by kind
 */
export const kindsWithLane = (counts: ReadonlyMap<string, number>): ReadonlySet<string> => {
  const kinds = [...counts].sort(([, a], [, b]) => b - a).map(([kind]) => kind);
  return new Set(kinds.length <= MAX_KINDS ? kinds : kinds.slice(0, MAX_KINDS - 1));
};

/** `x` is a cancel. */
const ALPHABET = SMALL_LETTERS.filter((letter) => letter !== 'x');
/** For more names: Greek and Cyrillic letters, Latin letters with accents, then syllables of Hangul, which have no capitals. */
const moreLetters = /* @__PURE__ */ lazy(() => [
  ...[...OTHER_CAPITALS, ...accentedCapitals()].map((letter) => letter.toLowerCase()),
  ...lettersBetween(0xac00, 0xd7a4),
]);
/** The sign of a name if all eleven thousand letters are taken. */
const OTHER = '*';

/** The character of each sign. A name has the same letter everywhere, in the case that the sign asks for; no two names share a letter in either case. */
export const assignLetters = (signs: readonly Sign[]): string[] => {
  const letters = new Map<string, string>();
  const taken = new Set<string>();
  let further = 0; // how many of the further letters are taken
  const furtherLetter = (): string => moreLetters()[further++] ?? OTHER;
  for (const sign of signs) {
    if (sign.kind === 'fixed' || letters.has(sign.of)) continue;
    const letter = freeLetter(ALPHABET, (one) => taken.has(one), ownLettersOf(sign.of)) ?? furtherLetter();
    taken.add(letter);
    letters.set(sign.of, letter);
  }
  return signs.map((sign) => {
    if (sign.kind === 'fixed') return sign.text;
    const letter = letters.get(sign.of) ?? OTHER;
    return sign.size === 'small' ? letter : letter.toUpperCase();
  });
};

const ownLettersOf = (name: string): string => (name.split(/[/ ]/).at(-1) ?? '').toLowerCase();
