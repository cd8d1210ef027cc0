/** Owns drawing two runs of messages as two marble lines whose columns fit, with the first difference marked. */
import type { Compared, LaneResult } from './compare';

/** What is shown before and behind the first difference. */
const BEFORE = 24;
const BEHIND = 16;
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

type Pair = { recorded?: Compared; now?: Compared };

/**
 * The first difference of a lane in marbles; one letter is one message, a message that one side lacks is a gap.
 *   recorded  -a-b-c-|
 *   now       -a-d-c-|
 *                ^
 */
export const toMarbles = ({ recorded, now, difference }: LaneResult): string[] => {
  if (difference === undefined || difference.reason !== undefined) return [];
  const from = Math.max(0, difference.at - BEFORE);
  const to = difference.at + BEHIND;
  const pairs = aligned(recorded.slice(from, to), now.slice(from, to));
  const letters = new Map<string, { letter: string; label: string }>();
  const letterOf = (one: Compared | undefined): string => {
    if (one === undefined) return '-';
    const known = letters.get(one.text) ?? { letter: LETTERS[letters.size] ?? '?', label: one.label };
    letters.set(one.text, known);
    return known.letter;
  };
  const line = (name: string, side: 'recorded' | 'now', length: number): string =>
    `${name}  ${from > 0 ? '…' : ''}${pairs.map((pair) => `-${letterOf(pair[side])}`).join('')}-${length > to ? '…' : '|'}`;
  const drawn = [line('recorded', 'recorded', recorded.length), line('now     ', 'now', now.length)];
  const column = pairs.findIndex((pair) => pair.recorded?.text !== pair.now?.text);
  return [...drawn, `${' '.repeat(10 + (from > 0 ? 1 : 0) + 2 * column + 1)}^`, ...toLegend([...letters.values()])];
};

const LEGEND_WIDTH = 76;

/** What the letters stand for, in lines that fit a terminal. */
const toLegend = (letters: readonly { letter: string; label: string }[]): string[] =>
  letters.reduce<string[]>((lines, { letter, label }) => {
    const entry = `${letter} ${label}`;
    const last = lines.at(-1);
    if (last === undefined || last.length + 2 + entry.length > LEGEND_WIDTH) lines.push(entry);
    else lines[lines.length - 1] = `${last}, ${entry}`;
    return lines;
  }, []);

/** Pairs what is the same in both, as much as can be; what is not stands alone, or against another of its place. */
const aligned = (recorded: readonly Compared[], now: readonly Compared[]): Pair[] => {
  const length = commonLengths(recorded, now);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < recorded.length || j < now.length) {
    const [a, b] = [recorded[i], now[j]];
    const here = length(i, j);
    const same = a !== undefined && b !== undefined && a.text === b.text;
    const swap = length(i + 1, j + 1) === here;
    if (a && b && (same || swap)) pairs.push({ recorded: a, now: b });
    else if (a && (!b || length(i + 1, j) === here)) pairs.push({ recorded: a });
    else pairs.push({ now: b });
    const { recorded: tookA, now: tookB } = pairs.at(-1) as Pair;
    i += tookA ? 1 : 0;
    j += tookB ? 1 : 0;
  }
  return pairs;
};

/** How long the longest common subsequence is from a place in both on. */
const commonLengths = (a: readonly Compared[], b: readonly Compared[]) => {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => table[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = table[i] as number[];
      row[j] = a[i]?.text === b[j]?.text ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
};
