/** Matchers for runners with `expect.extend`, such as jest and vitest. */
import { MarbleError, type TimedEvent } from '../streams/marbles/marbles';
import { alignMarbles } from './marbles';
import type { Phase } from './phase';
import type { Server } from './server';
import { session } from './session';

/** The matchers as `expect` has them once they are installed; `./jest` declares them for jest, the build for other runners. */
export type MarbleAssertions = {
  toPlay: (...phases: Phase[]) => Promise<void>;
  toPlayInTime: (...phases: Phase[]) => void;
  toMatchMarbles: (expected: readonly TimedEvent[]) => void;
};

/** The result of a matcher. */
export type Matched = { pass: boolean; message: () => string };

/**
 * `await expect(server).toPlay(phase, …)`, `expect(server).toPlayInTime(phase, …)`, and for two timelines of RxJS's
 * TestScheduler `expect(actual).toMatchMarbles(expected)`.
 */
export const marbleMatchers = {
  toPlay: async (server: Server, ...phases: Phase[]): Promise<Matched> =>
    session(server)
      .plays(...phases)
      .then(() => passed, failed),
  toPlayInTime: (server: Server, ...phases: Phase[]): Matched => {
    try {
      session(server).playsInTime(...phases);
      return passed;
    } catch (error) {
      return failed(error);
    }
  },
  toMatchMarbles: (actual: readonly TimedEvent[], expected: readonly TimedEvent[]): Matched => {
    const text = alignMarbles(actual, expected);
    return text === '' ? passed : { pass: false, message: () => text };
  },
};

const passed: Matched = { pass: true, message: () => 'it matches its marbles' };

/** Only a difference is a result of the matcher; any other error is rethrown. */
const failed = (error: unknown): Matched => {
  if (!(error instanceof MarbleError)) throw error;
  return { pass: false, message: () => error.message };
};

declare global {
  namespace jest {
    interface Matchers<R, T> extends MarbleAssertions {}
  }
}

/** The matchers that jest's `expect` has; exported so that the types of the entry include the declaration above. */
export type InstalledInJest = MarbleAssertions;
