/** Draws two lanes as marble rows whose columns are aligned, with the first difference marked. */
import { toVisible } from '../../io/log/toPlain';
import { flowTo } from '../../io/terminal/width';
import { pairUp } from '../../streams/marbles/diffJson';
import type { Marble } from '../../streams/marbles/drawMarbles';
import { DEFAULT_COLUMNS, drawComparison, EXCERPT } from '../../streams/marbles/drawMismatch';
import { LETTERS } from '../../streams/marbles/letters';
import type { LaneResult } from './compare';
import type { Compared } from './toComparer';

/**
 * The first difference of a lane in marbles; a letter is one message, a message that one side lacks is a gap.
 *   recorded  -a-b-c-|
 *   now       -a-d-c-|
 *                ^
 * @param columns of the terminal
 */
export const toMarbles = ({ recorded, now, difference }: LaneResult, columns: number = DEFAULT_COLUMNS): string[] => {
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
  const place = { frame: frameOf(at), cut: from > 0 ? 'start' : 'nowhere', columns } as const;
  const legend = [...letters.values()].map(({ letter, label }) => `${letter} ${label}`);
  return [...drawComparison(rows, place), ...flowTo(legend, columns - INDENT, ', ')];
};

type Letter = { letter: string; label: string };

/** A letter for each text, in the order in which the texts first occur. */
const toLetters = (lines: readonly (Compared | undefined)[]): ReadonlyMap<string, Letter> => {
  const labels = new Map(lines.flatMap((one) => (one ? [[one.text, one.label] as const] : [])));
  return new Map([...labels].map(([text, label], i) => [text, { letter: LETTERS[i] ?? '?', label: toVisible(label) }]));
};

/** A gap before each marble. */
const frameOf = (i: number): number => 2 * i + 1;

/** The columns by which reports are indented. */
const INDENT = 2;
