/** Sessions of a spec: marbles for the client, marbles for the server, and a server that is tested against them. */
import { firstValueFrom, map } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { MarbleError } from '../streams/marbles/marbles';
import { toVisibleLines } from '../streams/text/visible';
import { playInOrder, playInTime } from './conversation';
import { judge, type Meaning } from './judge';
import type { Comparison, MaskLists, Phase } from './phase';
import { toScore } from './score';
import type { Server } from './server';
import type { State } from './step';

export type SessionOptions = {
  /** How long the server may be silent while something is to come. */
  limitMs?: number;
  /** How long it may take to end. */
  settleMs?: number;
  /** `asReplay`: as `codex-rx replay` compares a server with a tape, which specs from a tape need. Default: `exactly`, apart from holes. */
  compare?: Comparison;
  /** With `asReplay`: the masks of the tape. */
  masks?: MaskLists;
};

/** How a server is tested. */
export type Session = {
  /**
   * Plays in order: columns say what comes before what, no clock is used. Each message of the client is sent when
   * everything left of it has come from the server; its input ends after the last, or at `|`. Messages in parentheses
   * may come in any order.
   * Rejects with MarbleError when the server sends something else, with ScoreError when the marbles cannot be played.
   *   client  i-n-d---y---|
   *   server  -I----Q---D-|    (Q is a request of the server, y its answer)
   */
  plays: (...phases: Phase[]) => Promise<void>;
  /**
   * Plays in virtual time: a column is a millisecond, of the client and of the server. For a server that is a function of
   * streams and waits by RxJS only. Throws as `plays` rejects.
   */
  playsInTime: (...phases: Phase[]) => void;
};

const LIMIT_MS = 5_000;
const SETTLE_MS = 1_000;
/** How long after the last marble a server in virtual time may go on. */
const BEHIND_MS = 60_000;

/** A server under test: a program by `stdio`, a recording by `tape`, or any function `(line$) => line$`. */
export const session = (
  server: Server,
  { limitMs = LIMIT_MS, settleMs = SETTLE_MS, ...how }: SessionOptions = {},
): Session => ({
  plays: async (...phases) =>
    check(await firstValueFrom(playInOrder({ score: toScore(phases, how), server }, { limitMs, settleMs })), 'order'),
  playsInTime: (...phases) => {
    const score = toScore(phases, how);
    const scheduler = new TestScheduler(() => {});
    scheduler.run(({ expectObservable, flush }) => {
      const clock = { now: () => scheduler.now(), lastFrame: score.frames + BEHIND_MS };
      const states: State[] = [];
      expectObservable(playInTime({ score, server }, clock).pipe(map((state) => states.push(state))));
      flush();
      for (const state of states) check(state, 'time');
    });
  },
});

const check = (state: State, meaning: Meaning): void => {
  const { play, end, remarks } = state;
  const unsent = play.score.client.notes.slice(play.sent).map(({ letter }) => letter);
  const differences = judge(play, end, meaning);
  if (differences.length === 0 && unsent.length === 0) return;
  const more = unsent.length === 0 ? remarks : [...remarks, `the client did not get to send ${unsent.join(', ')}`];
  const lines = ['the server does not play its part', ...differences, ...more.map((one) => `  ${one}`)];
  throw new MarbleError(toVisibleLines(lines.join('\n'))); // it ends in a terminal, and holds what the server sent
};
