/** Owns drawing two runs of messages as two marble lines whose columns fit, with the first difference marked. */

import { drawComparison, EXCERPT, LETTERS, type Marble, pairUp } from '../marbles';
import type { Compared, LaneResult } from './compare';

/**
 * The first difference of a lane in marbles; one letter is one message, a message that one side lacks is a gap.
 *   recorded  -a-b-c-|
 *   now       -a-d-c-|
 *                ^
 */
export const toMarbles = ({ recorded, now, difference }: LaneResult): string[] => {
  if (difference === undefined || difference.reason !== undefined) return [];
  const from = Math.max(0, difference.at - EXCERPT.before);
  const to = difference.at + EXCERPT.after;
  const pairs = pairUp(recorded.slice(from, to), now.slice(from, to), (a, b) => a.text === b.text);
  const letters = new Map<string, { letter: string; label: string }>();
  const markOf = (one: Compared | undefined, i: number): Marble[] => {
    if (one === undefined) return [];
    const known = letters.get(one.text) ?? { letter: LETTERS[letters.size] ?? '?', label: one.label };
    letters.set(one.text, known);
    return [{ frame: frameOf(i), symbol: known.letter }];
  };
  const endOf = (length: number): string => (length > to ? '-…' : '-|');
  const rows = [
    { name: 'recorded', marbles: pairs.flatMap(({ before }, i) => markOf(before, i)), end: endOf(recorded.length) },
    { name: 'now', marbles: pairs.flatMap((pair, i) => markOf(pair.now, i)), end: endOf(now.length) },
  ];
  const at = pairs.findIndex((pair) => pair.before?.text !== pair.now?.text);
  return [...drawComparison(rows, frameOf(at), from > 0 ? 'start' : 'nowhere'), ...toLegend([...letters.values()])];
};

/** A gap before each marble. */
const frameOf = (i: number): number => 2 * i + 1;

const LEGEND_WIDTH = 76;

/** What the letters stand for, in lines that fit a terminal. */
export const toLegend = (letters: readonly { letter: string; label: string }[]): string[] =>
  letters.reduce<string[]>((lines, { letter, label }) => {
    const entry = `${letter} ${label}`;
    const last = lines.at(-1);
    if (last === undefined || last.length + 2 + entry.length > LEGEND_WIDTH) lines.push(entry);
    else lines[lines.length - 1] = `${last}, ${entry}`;
    return lines;
  }, []);
