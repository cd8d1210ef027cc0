/** Owns a recorded session as a client: it says what was recorded, when what came before it has come again. */
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
import type { Recording } from '../session';
import { type ClientPlayback, openClient, type PlaybackStep, playStep } from './playClient';

/**
 * How long the client waits in silence: for notifications that were recorded, which may fail to come, and for answers
 * and questions, without which it cannot go on.
 */
export type PatienceOptions = { patienceMs: number; limitMs: number };

/**
 * Plays the client's half against lines of a server. A line is said when every line that the recorded server had told
 * before it has come again, by its sort, not by the clock. Ids of the server's questions and UUIDs it gave out are put
 * in place of the recorded ones. Emits lines; completes where the recorded input ended, or when the server is silent
 * beyond the limit. Never errors by itself.
 *   in   ---I-----e-Q----T    (I, T answers, e an event, Q a question)
 *   out  i--(nt)----y----|    (i, t requests, n a notification, y the answer)
 */
export const replayClient =
  (recording: Recording, { patienceMs, limitMs }: PatienceOptions): OperatorFunction<string, string> =>
  (line$) =>
    defer(() =>
      merge(
        line$.pipe(
          map((line): PlaybackStep => ({ kind: 'line', line })),
          endWith<PlaybackStep>({ kind: 'late' }), // nobody is left to wait for
        ),
        of<PlaybackStep>({ kind: 'start' }), // after the server is listened to, which may answer at once
      ).pipe(
        switchMap((cue) =>
          concat(
            of(cue),
            timer(patienceMs).pipe(map((): PlaybackStep => ({ kind: 'impatient' }))),
            timer(Math.max(0, limitMs - patienceMs)).pipe(map((): PlaybackStep => ({ kind: 'late' }))),
          ),
        ),
        scan<PlaybackStep, ClientPlayback>(playStep, openClient(recording)),
        takeWhile(({ phase }) => phase === 'playing', true),
        concatMap(({ out }) => out),
      ),
    );
