/** Owns a recorded session as a server: lines of a client in, what was recorded out, in its place and at its pace. */
import {
  concatMap,
  defer,
  endWith,
  map,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  startWith,
  timer,
  timestamp,
} from 'rxjs';
import type { Recording } from '../session';
import type { PlaybackEvent } from './playbackEvent';
import { type PlayOptions, playEnd, playLine, type ServerPlayback, startPlaying } from './playServer';

/** How many times faster than it was recorded; `max` does not wait at all. */
export type Speed = number | 'max';

/** How a recording is played. */
export type ReplayOptions = PlayOptions & { speed: Speed };

/**
 * Plays the server's half. A line of the server comes once all that its client had said since the request it belongs to
 * has come, as long after that as in the recording. The ids of the client stand in for the recorded ones.
 * Emits lines, `trouble` for what is not recorded (a request also gets an error), and `rest` at the end when the client
 * said less than was recorded. Completes after the source and the last line. Never errors by itself.
 *   in   i--t----y--|    (i initialize, t tools/call, y the client's answer)
 *   out  I--e-Q--e-T|    (e events, Q the question, T the result)
 */
export const replayServer =
  (recording: Recording, { speed, ...options }: ReplayOptions): OperatorFunction<string, PlaybackEvent> =>
  (line$) =>
    defer(() =>
      line$.pipe(
        map((line): string | null => line),
        endWith(null),
        startWith(undefined),
        timestamp(),
        scan<{ value: string | null | undefined; timestamp: number }, { playing?: ServerPlayback; atMs: number }>(
          ({ playing }, { value, timestamp: atMs }) => ({
            playing: step(playing, recording, options, value, atMs),
            atMs,
          }),
          { atMs: 0 },
        ),
        concatMap(({ playing, atMs }) => (playing?.out ?? []).map((played) => ({ played, atMs }))),
        mergeMap(({ played, atMs }) => pace(played, atMs, speed)),
      ),
    );

const step = (
  playing: ServerPlayback | undefined,
  recording: Recording,
  options: PlayOptions,
  line: string | null | undefined,
  atMs: number,
): ServerPlayback => {
  if (playing === undefined || line === undefined) return startPlaying(recording, options, atMs);
  return line === null ? playEnd(playing, atMs) : playLine(playing, line, atMs);
};

const pace = (played: PlaybackEvent, atMs: number, speed: Speed): Observable<PlaybackEvent> => {
  if (played.kind !== 'line' || speed === 'max') return of(played);
  const waitMs = played.fromMs + played.afterMs / speed - atMs;
  return waitMs > 0 ? timer(waitMs).pipe(map(() => played)) : of(played);
};
