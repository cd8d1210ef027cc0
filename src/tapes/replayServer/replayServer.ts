/** Plays a recorded session as a server: lines of a client in, recorded lines out, in their order and at their pace. */
import {
  concat,
  concatMap,
  connect,
  defaultIfEmpty,
  defer,
  delay,
  endWith,
  filter,
  type MonoTypeOperatorFunction,
  map,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  startWith,
  take,
  timer,
  timestamp,
} from 'rxjs';
import { labelOf, parseLine } from '../../protocol/jsonrpc/parseLine';
import { matchKey } from '../matching/matchKey';
import type { SessionIndex } from '../session/sessionIndex';
import { type PlaybackEvent, toServerPlan } from './playbackSession';
import { type PlayOptions, reduceServer, type ServerInput, type ServerStep } from './reduceServer';

/** A multiple of the recorded pace; `max` does not wait at all. */
export type Speed = number | 'max';

/** How a recording is played. */
export type ReplayOptions = PlayOptions & { speed: Speed };

type Input = { kind: 'start' } | { kind: 'line'; line: string } | { kind: 'end' };

/**
 * Plays the server of a session. A server line waits for the client lines that the recorded client had sent by then, from the request on that the
 * server line belongs to. It is sent as long after the last of them as in the recording, with the request ids and progress tokens of this client. A
 * response waits 5 ms after progress, as clients lose progress otherwise.
 * Emits lines; `unrecorded` for what the recording does not have (a request also gets an error); at the end `unplayed` if the client sent less
 * than was recorded. Completes after the source and the last line; errors with the source.
 *   in   i--t----y--|    (i initialize, t tools/call, y the client's response)
 *   out  I--e-Q--e-T|    (e events, Q the server's request, T the result)
 */
export const replayServer =
  (index: SessionIndex, { speed, ...options }: ReplayOptions): OperatorFunction<string, PlaybackEvent> =>
  (line$) =>
    defer(() => {
      const play = reduceServer(toServerPlan(index), { speed, ...options });
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

/** How long a response waits after progress: the official clients lose progress that they read with it. Source: MCP SDK 1.32.2, client 2.4.0. */
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

/**
 * Plays one of several sessions: clients that probe a server with a separate process record two. The first line of the client chooses the session;
 * until then no line is sent. Emits which session it is, then the same as `replayServer`.
 *   in   ---d---t--|     (d as the first session begins)
 *   out  ---(sD)T--|     (s the remark)
 */
export const replaySessions =
  (sessions: readonly SessionIndex[], options: ReplayOptions): OperatorFunction<string, PlaybackEvent> =>
  (line$) => {
    const [only] = sessions;
    if (only !== undefined && sessions.length === 1) return line$.pipe(replayServer(only, options));
    return line$.pipe(
      filter((line) => line.trim() !== ''),
      connect((shared$) =>
        shared$.pipe(
          take(1),
          defaultIfEmpty(undefined),
          mergeMap((first) => {
            const number = chooseSession(sessions, first);
            const rest$ = first === undefined ? shared$ : shared$.pipe(startWith(first));
            const text = `session ${number + 1} of ${sessions.length} begins as this client does`;
            return concat(
              of<PlaybackEvent>({ kind: 'session', text }),
              rest$.pipe(replayServer(sessions[number] as SessionIndex, options)),
            );
          }),
        ),
      ),
    );
  };

/** The last session whose first client line means the same; else the last whose first line has the same method; else the last session. */
export const chooseSession = (sessions: readonly SessionIndex[], first: string | undefined): number => {
  if (first === undefined) return sessions.length - 1;
  const parsed = parseLine(first);
  const openings = sessions.map(({ clientLines: [opening] }) => (opening?.kind === 'line' ? opening : undefined));
  const key = matchKey(parsed);
  const same = openings.findLastIndex((opening) => opening && matchKey(opening) === key);
  const alike = openings.findLastIndex((opening) => labelOf(opening?.messages[0]) === labelOf(parsed.messages[0]));
  return [same, alike].find((found) => found !== -1) ?? sessions.length - 1;
};
