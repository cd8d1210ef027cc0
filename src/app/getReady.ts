/** What is made ready while a client is silent. */
import {
  catchError,
  connect,
  EMPTY,
  ignoreElements,
  type MonoTypeOperatorFunction,
  merge,
  type Observable,
  type OperatorFunction,
  tap,
} from 'rxjs';
import type { Log } from '../log';
import { onceIdle } from '../streams';
import { inSilence } from './inSilence';

/** `warmUp` loads and makes the engine; `warmUpTurn$` runs turns in memory. */
export type ReadyDeps = { warmUp: () => void; warmUpTurn$?: Observable<never>; log: Log };

/** The engine is made ready when the client pauses: clients open with `initialize` and call a tool later. */
const WARM_UP_IDLE_MS = 20;

/**
 * Makes the engine ready in the first pause of the input, and runs the warm-up turns in a longer one before the first call. Emits nothing.
 *   in           a----c
 *   warmUp       --w
 *   warmUpTurn$  ----r!
 */
export const getReady = ({ warmUp, warmUpTurn$ = EMPTY, log }: ReadyDeps): OperatorFunction<Uint8Array, never> =>
  connect((byte$) =>
    merge(
      byte$.pipe(onceIdle(WARM_UP_IDLE_MS), tap(warmUp), ignoreElements(), reportFailure(log)),
      byte$.pipe(inSilence(warmUpTurn$.pipe(reportFailure(log)))),
    ),
  );

/** A warm-up that fails is no reason to stop: the call that needs what it lacks reports it. */
const reportFailure = (log: Log): MonoTypeOperatorFunction<never> =>
  catchError(({ message }: Error) => {
    log('warning', 'the warm-up failed', { reason: message });
    return EMPTY;
  });
