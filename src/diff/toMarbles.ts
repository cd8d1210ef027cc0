/** Draws two lanes as marble rows whose columns are aligned, with the first difference marked. */
import { toVisible } from '../log';
import { drawComparison, EXCERPT, LETTERS, type Marble, pairUp } from '../marbles';
import type { LaneResult } from './compare';
import type { Compared } from './toComparer';

/**
 * The first difference of a lane in marbles; a letter is one message, a message that one side lacks is a gap.
 *   recorded  -a-b-c-|
 *   now       -a-d-c-|
 *                ^
 */
export const toMarbles = ({ recorded, now, difference }: LaneResult): string[] => {
  if (difference === undefined || difference.reason !== undefined) return [];
  const from = Math.max(0, difference.at - EXCERPT.before);
  const to = difference.at + EXCERPT.after;
  const pairs = pairUp(recorded.slice(from, to), now.slice(from, to), (a, b) => a.text === b.text);
  const sides = { recorded: pairs.map(({ before }) => before), now: pairs.map((pair) => pair.now) };
  const letters = toLetters([...sides.recorded, ...sides.now]);
  const rowOf = (name: 'recorded' | 'now', length: number) => ({
    name,
    marbles: sides[name].flatMap((one, i): Marble[] =>
      one ? [{ frame: frameOf(i), symbol: letters.get(one.text)?.letter ?? '?' }] : [],
    ),
    end: length > to ? '-…' : '-|',
  });
  const rows = [rowOf('recorded', recorded.length), rowOf('now', now.length)];
  const at = pairs.findIndex((pair) => pair.before?.text !== pair.now?.text);
  return [...drawComparison(rows, frameOf(at), from > 0 ? 'start' : 'nowhere'), ...toLegend([...letters.values()])];
};

type Letter = { letter: string; label: string };

/** A letter for each text, in the order in which the texts first occur. */
const toLetters = (lines: readonly (Compared | undefined)[]): ReadonlyMap<string, Letter> => {
  const labels = new Map(lines.flatMap((one) => (one ? [[one.text, one.label] as const] : [])));
  return new Map([...labels].map(([text, label], i) => [text, { letter: LETTERS[i] ?? '?', label: toVisible(label) }]));
};

/** A gap before each marble. */
const frameOf = (i: number): number => 2 * i + 1;

const LEGEND_WIDTH = 76;

/** What the letters stand for, in lines that fit a terminal. */
const toLegend = (letters: readonly Letter[]): string[] => {
  const lines: string[] = [];
  for (const { letter, label } of letters) {
    const entry = `${letter} ${label}`;
    const last = lines.at(-1);
    if (last === undefined || last.length + 2 + entry.length > LEGEND_WIDTH) lines.push(entry);
    else lines[lines.length - 1] = `${last}, ${entry}`;
  }
  return lines;
};
