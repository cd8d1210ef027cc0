/** Compares two timelines of RxJS's TestScheduler and draws the first difference. */
import { type ComparedMarble, drawMismatch, END_LABEL } from './drawMismatch';
import { isSame } from './isSame';
import { LETTERS } from './letters';

/** What a stream did at a frame: `N` it emitted a value, `C` it completed, `E` it errored. RxJS's TestMessage is such an event. */
export type TimedEvent = {
  readonly frame: number;
  readonly notification: { readonly kind: 'N' | 'C' | 'E'; readonly value?: unknown; readonly error?: unknown };
};

/** A value, and the letter that a spec gives it. */
export type NamedValue = readonly [letter: string, value: unknown];

/** `named` are values that are drawn by a given letter; `columns` those of the terminal, 80 if it has none. */
export type AlignOptions = { named?: readonly NamedValue[]; columns?: number };

/**
 * Two timelines below each other, with the first difference marked and shown in JSON; '' if they are the same.
 *   expected  -a--b|
 *   actual    -a-b-|
 *                ^
 * Values that are not `named` get the next free letter.
 */
export const alignMarbles = (
  actual: readonly TimedEvent[],
  expected: readonly TimedEvent[],
  { named = [], columns }: AlignOptions = {},
): string => {
  const at = expected.findIndex((one, i) => !isSame(actual[i], one));
  if (at === -1 && actual.length <= expected.length) return '';
  const letterOf = toLetters([...expected, ...actual], named);
  const toMarble = marbleBy(letterOf);
  const [rows, differsAt] = [[expected, actual].map((row) => row.map(toMarble)), at === -1 ? expected.length : at];
  return drawMismatch({ expected: rows[0] ?? [], actual: rows[1] ?? [], at: differsAt, cut: 'nowhere' }, columns);
};

/**
 * The letter of each value: the one that it was given, the value itself if it is one visible character, otherwise the next
 * free letter. A letter that was given to several values stands for the first.
 */
const toLetters = (events: readonly TimedEvent[], named: readonly NamedValue[]): ((value: unknown) => string) => {
  const given = [...new Map(named.toReversed())];
  const ownLetter = (value: unknown): string | undefined =>
    given.find(([, one]) => isSame(value, one))?.[0] ?? (isLetter(value) ? value : undefined);
  const values = events.flatMap(({ notification: { kind, value } }) =>
    kind === 'N' && ownLetter(value) === undefined ? [value] : [],
  );
  const distinct = values.filter((value, i) => values.findIndex((one) => isSame(one, value)) === i);
  const free = LETTERS.filter((letter) => !given.some(([taken]) => taken === letter));
  return (value) => ownLetter(value) ?? free[distinct.findIndex((one) => isSame(one, value))] ?? '?';
};

const isLetter = (value: unknown): value is string => typeof value === 'string' && /^[^\p{C}\p{Z}]$/u.test(value);

const marbleBy =
  (letterOf: (value: unknown) => string) =>
  ({ frame, notification: { kind, value, error } }: TimedEvent): ComparedMarble => {
    if (kind === 'N') return { frame, symbol: letterOf(value), value, label: 'a value' };
    return kind === 'C'
      ? { frame, symbol: '|', value: '|', label: END_LABEL }
      : { frame, symbol: '#', value: error, label: 'an error' };
  };
