/** Plays a recorded session as a client: it sends each recorded line when what came before it has come again. */
import {
  concat,
  defer,
  endWith,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  Subject,
  scan,
  switchMap,
  takeWhile,
  tap,
  timer,
} from 'rxjs';
import { inputFirst } from '../../streams/time/limits';
import type { SessionIndex } from '../session/sessionIndex';
import { type Pace, toClientPlan } from './clientPlan';
import { type ClientInput, type ClientStep, IDLE_CLIENT, reduceClient } from './reduceClient';

/** How long the server may be silent, and how fast the client is. */
export type PatienceOptions = {
  /** How long the client waits for missing notifications. */
  patienceMs: number;
  /** How long the client waits for missing responses and requests; then it ends. */
  limitMs: number;
  /** Default `max`. */
  pace?: Pace;
};

/**
 * Plays the client of a session against lines of a server. A line is sent once the messages that the recorded server had sent before it have come
 * again, counted by kind, and the pause before it is over. Each line has the request ids and handles of this server.
 * Emits lines; completes after the last line, or when the server is silent beyond the limit. Errors with the source.
 *   in   ---I-----e-Q----T    (I, T responses, e an event, Q a request)
 *   out  i--(nt)----y----|    (i, t requests, n a notification, y the response)
 */
export const replayClient =
  (index: SessionIndex, { patienceMs, limitMs, pace = 'max' }: PatienceOptions): OperatorFunction<string, string> =>
  (line$) =>
    defer(() => {
      const play = reduceClient(toClientPlan(index, pace));
      const resume$ = new Subject<ClientInput>(); // the wire from the end of a pause back to the reducer
      const input$ = merge(
        line$.pipe(
          map((line): ClientInput => ({ kind: 'line', line })),
          endWith<ClientInput>({ kind: 'end' }), // nothing more can come
        ),
        resume$,
        of<ClientInput>({ kind: 'start' }), // after subscribing to the server, which may respond at once
      );
      return input$.pipe(
        withSilences({ patienceMs, limitMs }),
        scan<ClientInput, ClientStep>((step, input) => play(step.state, input), START),
        takeWhile(({ state }) => state.phase !== 'finished', true),
        mergeMap(({ output, pauseMs }) => (pauseMs === 0 ? output : merge(output, pause(resume$, pauseMs)))),
      );
    });

const START: ClientStep = { state: IDLE_CLIENT, output: [], pauseMs: 0 };

const pause = (resume$: Subject<ClientInput>, pauseMs: number): Observable<never> =>
  timer(pauseMs).pipe(
    tap(() => resume$.next({ kind: 'resume' })),
    ignoreElements(),
  );

/** Each input is followed by the silences after it, unless another input comes first. */
const withSilences =
  ({ patienceMs, limitMs }: Pick<PatienceOptions, 'patienceMs' | 'limitMs'>) =>
  (input$: Observable<ClientInput>): Observable<ClientInput> =>
    input$.pipe(
      switchMap((input) =>
        concat(
          of(input),
          timer(patienceMs, inputFirst).pipe(map((): ClientInput => ({ kind: 'silence' }))),
          timer(limitMs - patienceMs, inputFirst).pipe(map((): ClientInput => ({ kind: 'timeout' }))),
        ),
      ),
    );
