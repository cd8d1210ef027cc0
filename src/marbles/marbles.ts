/** Marble specs for any stream: RxJS's TestScheduler with an assertion whose failures are drawn. */
import type { RunHelpers } from 'rxjs/internal/testing/TestScheduler';
import { TestScheduler } from 'rxjs/testing';
import { alignMarbles, type TimedEvent } from './alignMarbles';
import { isSame } from './isSame';

/** A stream, or a server under test, does not do what its marbles say. The message holds the drawing of the difference. */
export class MarbleError extends Error {
  override name = 'MarbleError';
}

/**
 * The body of a test, run under virtual time. Throws MarbleError where a stream does not do what its marbles say.
 *   it('delays', marbles(({ hot, expectObservable }) => {
 *     expectObservable(hot('a-b|').pipe(delay(2))).toBe('--a-(b|)');
 *   }));
 */
export const marbles = (body: (helpers: RunHelpers) => void) => (): void => new TestScheduler(assertMarbles).run(body);

/**
 * Compares what TestScheduler hands to its assertion: two timelines, or two lists of subscriptions.
 * Throws MarbleError with a drawing when they differ.
 */
export const assertMarbles = (actual: unknown, expected: unknown): void => {
  const text =
    isTimeline(actual) && isTimeline(expected) ? alignMarbles(actual, expected) : describeOthers(actual, expected);
  if (text !== '') throw new MarbleError(`the stream does not do what its marbles say\n${text}`);
};

const isTimeline = (value: unknown): value is TimedEvent[] =>
  Array.isArray(value) && value.every((one) => typeof one?.frame === 'number' && 'notification' in one);

/** Subscriptions, and whatever else a scheduler compares. */
const describeOthers = (actual: unknown, expected: unknown): string =>
  isSame(actual, expected) ? '' : `  expected  ${JSON.stringify(expected)}\n  actual    ${JSON.stringify(actual)}`;
