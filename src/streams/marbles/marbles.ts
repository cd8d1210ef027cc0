/** Marble specs for any stream: RxJS's TestScheduler with an assertion whose failures are drawn. */
import type { RunHelpers } from 'rxjs/internal/testing/TestScheduler';
import { TestScheduler } from 'rxjs/testing';
import { alignMarbles, type NamedValue, type TimedEvent } from './alignMarbles';
import { DEFAULT_COLUMNS } from './drawComparison';
import { isSame } from './isSame';

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
