import type { RunHelpers } from 'rxjs/internal/testing/TestScheduler';
import { TestScheduler } from 'rxjs/testing';

/** Runs `body` under virtual time; a failing expectation shows both sides as values with their frames. */
export const marbles = (body: (helpers: RunHelpers) => void) => () =>
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(body);
