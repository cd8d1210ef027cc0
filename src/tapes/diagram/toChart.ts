/** Makes the picture of a session: each message is a marble, each call a span from its request to its end. */
import { toVisible } from '../../io/log/toVisible';
import type { SessionIndex } from '../session/sessionIndex';
import { assignLetters } from './assignLetters';
import type { Chart, ChartMarble, Drawn, Ends } from './chart';
import { joinRuns, type Run } from './joinRuns';
import { toFacts } from './toFacts';
import { toLanes } from './toLanes';
import { toLooks } from './toLooks';
import { type Places, toSpans, withTiers } from './toSpans';

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
