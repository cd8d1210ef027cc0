/** Plays a recorded session as a server: lines of a client in, recorded lines out, in their order and at their pace. */
import {
  concatMap,
  defer,
  delay,
  endWith,
  type MonoTypeOperatorFunction,
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
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { SessionIndex } from '../session/sessionIndex';
import type { PlaybackEvent } from './playbackEvent';
import { type PlayOptions, playServer, type ServerInput, type ServerStep } from './playServer';
import { toServerPlan } from './serverPlan';

/** A multiple of the recorded pace; `max` does not wait at all. */
export type Speed = number | 'max';

/** How a recording is played. */
export type ReplayOptions = PlayOptions & { speed: Speed };

type Input = { kind: 'start' } | { kind: 'line'; line: string } | { kind: 'end' };

/**
 * Plays the server of a session. A server line leaves once every client line has come that the recorded client had sent
 * by then, counted from the request that the server line belongs to, and as long after the last of them as in the recording.
 * It has the request ids and progress tokens of this client. A response waits 5 ms after progress, as clients lose it otherwise.
 * Emits lines; `unrecorded` for what the recording does not have (a request also gets an error), and at the end `unplayed` where
 * the client sent less than was recorded. Completes after the source and the last line; errors with the source.
 *   in   i--t----y--|    (i initialize, t tools/call, y the client's response)
 *   out  I--e-Q--e-T|    (e events, Q the server's request, T the result)
 */
export const replayServer =
  (index: SessionIndex, { speed, ...options }: ReplayOptions): OperatorFunction<string, PlaybackEvent> =>
  (line$) =>
    defer(() => {
      const play = playServer(toServerPlan(index), options);
      return line$.pipe(
        map((line): Input => ({ kind: 'line', line })),
        endWith<Input>({ kind: 'end' }),
        startWith<Input>({ kind: 'start' }),
        timestamp(),
        scan<{ value: Input; timestamp: number }, ServerStep & { atMs: number }>(
          ({ state }, { value, timestamp: atMs }) => ({ ...play(state, { ...value, atMs } as ServerInput), atMs }),
          { state: { phase: 'idle' }, output: [], atMs: 0 },
        ),
        concatMap(({ output, atMs }) => output.map((event) => ({ event, atMs }))),
        mergeMap(({ event, atMs }) => delayed(event, atMs, speed)),
        separateProgress(),
      );
    });

const delayed = (event: PlaybackEvent, atMs: number, speed: Speed): Observable<PlaybackEvent> => {
  if (event.kind !== 'line' || speed === 'max') return of(event);
  const waitMs = event.fromMs + event.afterMs / speed - atMs;
  return waitMs > 0 ? timer(waitMs).pipe(map(() => event)) : of(event);
};

/**
 * How long a response waits after progress. Both official clients lose progress that they read together with its response.
 * Source: @modelcontextprotocol/sdk 1.32.2, @modelcontextprotocol/client 2.4.0.
 */
const GAP_MS = 5;

type Spacing = { event?: PlaybackEvent; afterProgress: boolean; waits: boolean };

/**
 * Delays a response that follows progress, and what comes after it; the order stays. Completes and errors with the source.
 *   in   -(pR)------|    (p progress, R a response)
 *   out  -p----R----|
 */
export const separateProgress = (): MonoTypeOperatorFunction<PlaybackEvent> => (event$) =>
  defer(() =>
    event$.pipe(
      scan<PlaybackEvent, Spacing>(space, { afterProgress: false, waits: false }),
      concatMap(({ event, waits }) => {
        if (event === undefined) return [];
        return waits ? of(event).pipe(delay(GAP_MS)) : of(event);
      }),
    ),
  );

const space = ({ afterProgress }: Spacing, event: PlaybackEvent): Spacing => {
  if (event.kind !== 'line') return { event, afterProgress, waits: false };
  if (event.line.includes('"notifications/progress"')) return { event, afterProgress: true, waits: false };
  const waits = afterProgress && parseLine(event.line).messages.some(({ kind }) => kind === 'response');
  return { event, afterProgress: afterProgress && !waits, waits };
};
