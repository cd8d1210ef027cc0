/** Marble specs for any stream: RxJS's TestScheduler with an assertion whose failures are drawn. */
import type { RunHelpers } from 'rxjs/internal/testing/TestScheduler';
import { TestScheduler } from 'rxjs/testing';
import { type ComparedMarble, DEFAULT_COLUMNS, drawMismatch, END_LABEL } from './drawMismatch';
import { isSame } from './isSame';
import { LETTERS } from './letters';

/** A stream, or a server under test, does not match its marbles. The message holds the drawing of the difference. */
export class MarbleError extends Error {
  override name = 'MarbleError';
}

/**
 * The body of a test, run in virtual time. Throws MarbleError if a stream does not match its marbles; the drawing in
 * its message uses the letters of the test.
 *   it('delays', marbles(({ hot, expectObservable }) => {
 *     expectObservable(hot('a-b|').pipe(delay(2))).toBe('--a-(b|)');
 *   }));
 * @param columns of the terminal
 */
export const marbles =
  (body: (helpers: RunHelpers) => void, columns: () => number = () => DEFAULT_COLUMNS) =>
  (): void => {
    const named: NamedValue[] = []; // filled by the expectations of the test, read once one of them fails
    const assertMarbles = assertWithin(columns);
    const assert = (actual: unknown, expected: unknown): void => assertMarbles(actual, expected, named);
    new TestScheduler(assert).run((helpers) => body(withNames(helpers, named)));
  };

/** Helpers that record which letter an expectation gives a value. TestScheduler itself forgets them. */
const withNames = (helpers: RunHelpers, named: NamedValue[]): RunHelpers => ({
  ...helpers,
  expectObservable: (observable, subscriptionMarbles) => {
    const expectation = helpers.expectObservable(observable, subscriptionMarbles);
    return {
      ...expectation,
      toBe: (timeline, values, errorValue) => {
        named.push(...Object.entries(values ?? {}));
        expectation.toBe(timeline, values, errorValue);
      },
    };
  },
});

/**
 * Makes the assertion of a TestScheduler, whose drawings are this many columns wide. It compares what the scheduler passes to it: two timelines,
 * or two lists of subscriptions. Throws MarbleError with a drawing if they differ.
 * @param named values that are drawn by a given letter
 */
export const assertWithin =
  (columns: () => number) =>
  (actual: unknown, expected: unknown, named: readonly NamedValue[] = []): void => {
    const areTimelines = isTimeline(actual) && isTimeline(expected);
    const text = areTimelines
      ? alignMarbles(actual, expected, { named, columns: columns() })
      : describeOthers(actual, expected);
    if (text !== '') throw new MarbleError(`the stream does not match its marbles\n${text}`);
  };

const isTimeline = (value: unknown): value is TimedEvent[] =>
  Array.isArray(value) && value.every((one) => typeof one?.frame === 'number' && 'notification' in one);

/** Subscriptions, and whatever else a scheduler compares. */
const describeOthers = (actual: unknown, expected: unknown): string =>
  isSame(actual, expected) ? '' : `  expected  ${JSON.stringify(expected)}\n  actual    ${JSON.stringify(actual)}`;

/** What a stream did at a frame: `N` it emitted a value, `C` it completed, `E` it errored. RxJS's TestMessage is such an event. */
export type TimedEvent = {
  readonly frame: number;
  readonly notification: { readonly kind: 'N' | 'C' | 'E'; readonly value?: unknown; readonly error?: unknown };
};

type NamedValue = readonly [letter: string, value: unknown];

type AlignOptions = {
  /** Values that are drawn by a given letter. */
  named?: readonly NamedValue[];
  /** The width of the terminal. Default: 80. */
  columns?: number;
};

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

/** The letter of each value: the given one, the value itself if it is one visible character, else the next free letter. */
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
