/** Owns marbles for any stream: RxJS's TestScheduler, with failures that are drawn. */
import type { RunHelpers } from 'rxjs/internal/testing/TestScheduler';
import { TestScheduler } from 'rxjs/testing';
import { END, type Item, MarbleError, toFailure } from './failure';
import { isSame } from './isSame';

/** What a stream did at a frame; `N` a value, `C` the end, `E` an error. RxJS's TestMessage is one. */
export type TimedEvent = {
  readonly frame: number;
  readonly notification: { readonly kind: 'N' | 'C' | 'E'; readonly value?: unknown; readonly error?: unknown };
};

/**
 * Runs a body under virtual time and checks what it expects; what differs is drawn as two lines of marbles.
 *   it('delays', marbles(({ hot, expectObservable }) => {
 *     expectObservable(hot('a-b|').pipe(delay(2))).toBe('--a-(b|)');
 *   }));
 */
export const marbles = (body: (helpers: RunHelpers) => void) => (): void => new TestScheduler(assertMarbles).run(body);

/** Throws MarbleError when the two differ. Takes what TestScheduler hands to its assertion: timelines and subscriptions. */
export const assertMarbles = (actual: unknown, expected: unknown): void => {
  const text =
    isTimeline(actual) && isTimeline(expected) ? alignMarbles(actual, expected) : alignOthers(actual, expected);
  if (text !== '') throw new MarbleError(`the stream does not go as its marbles say\n${text}`);
};

/**
 * Two timelines below each other, the first difference marked and shown in JSON; '' when they are the same.
 *   expected  -a--b|
 *   actual    -a-b-|
 *                ^
 */
export const alignMarbles = (actual: readonly TimedEvent[], expected: readonly TimedEvent[]): string => {
  const at = expected.findIndex((one, i) => !isSame(actual[i], one));
  if (at === -1 && actual.length <= expected.length) return '';
  const toItem = letterer();
  return toFailure({
    expected: expected.map(toItem),
    actual: actual.map(toItem),
    at: at === -1 ? expected.length : at,
    cut: 'nowhere',
  });
};

const isTimeline = (value: unknown): value is TimedEvent[] =>
  Array.isArray(value) && value.every((one) => typeof one?.frame === 'number' && 'notification' in one);

/** Subscriptions and what else a scheduler compares. */
const alignOthers = (actual: unknown, expected: unknown): string =>
  isSame(actual, expected) ? '' : `  expected  ${JSON.stringify(expected)}\n  actual    ${JSON.stringify(actual)}`;

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

/** A letter for each value: itself when it is one, else the next that is free. */
const letterer = (): ((event: TimedEvent) => Item) => {
  const known: { value: unknown; letter: string }[] = [];
  const letterOf = (value: unknown): string => {
    if (typeof value === 'string' && [...value].length === 1) return value;
    const found = known.find((one) => isSame(one.value, value));
    if (found) return found.letter;
    const letter = LETTERS[known.length] ?? '?';
    known.push({ value, letter });
    return letter;
  };
  return ({ frame, notification: { kind, value, error } }) => {
    if (kind === 'N') return { frame, letter: letterOf(value), value, label: 'a value' };
    return kind === 'C'
      ? { frame, letter: '|', value: '|', label: END }
      : { frame, letter: '#', value: error, label: 'an error' };
  };
};
