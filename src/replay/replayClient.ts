/** Plays a recorded session as a client: it sends each recorded line when what came before it has come again. */
import {
  concat,
  concatMap,
  defer,
  endWith,
  map,
  merge,
  type OperatorFunction,
  of,
  scan,
  switchMap,
  takeWhile,
  timer,
} from 'rxjs';
import type { SessionIndex } from '../session';
import { toClientPlan } from './clientPlan';
import { IDLE_CLIENT } from './clientPlayback';
import { type ClientInput, type ClientStep, playClient } from './playClient';

/**
 * How long the server may be silent: before notifications that have not come are no longer waited for, and before the client gives up
 * on responses and requests.
 */
export type PatienceOptions = { patienceMs: number; limitMs: number };

/**
 * Plays the client of a session against lines of a server. A line is sent when every line that the recorded server had sent
 * before it has come again, compared by kind, whatever the time. It has the request ids and UUIDs of this server.
 * Emits lines; completes where the recorded input ended, or when the server is silent beyond the limit. Errors with the
 * source.
 *   in   ---I-----e-Q----T    (I, T responses, e an event, Q a request)
 *   out  i--(nt)----y----|    (i, t requests, n a notification, y the response)
 */
export const replayClient =
  (index: SessionIndex, { patienceMs, limitMs }: PatienceOptions): OperatorFunction<string, string> =>
  (line$) =>
    defer(() => {
      const play = playClient(toClientPlan(index));
      return merge(
        line$.pipe(
          map((line): ClientInput => ({ kind: 'line', line })),
          endWith<ClientInput>({ kind: 'timeout' }), // nothing more can come
        ),
        of<ClientInput>({ kind: 'start' }), // after subscribing to the server, which may respond at once
      ).pipe(
        switchMap((input) =>
          concat(
            of(input),
            timer(patienceMs).pipe(map((): ClientInput => ({ kind: 'silence' }))),
            timer(Math.max(0, limitMs - patienceMs)).pipe(map((): ClientInput => ({ kind: 'timeout' }))),
          ),
        ),
        scan<ClientInput, ClientStep>((step, input) => play(step.state, input), { state: IDLE_CLIENT, output: [] }),
        takeWhile(({ state }) => state.phase === 'playing', true),
        concatMap(({ output }) => output),
      );
    });
