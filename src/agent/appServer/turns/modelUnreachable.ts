/** Detects that a server cannot reach its model, which some versions retry endlessly. */
import {
  distinctUntilKeyChanged,
  EMPTY,
  map,
  mergeMap,
  type Observable,
  type OperatorFunction,
  switchMap,
  timer,
} from 'rxjs';
import type { TurnStop } from '../../turns/turnEnd';
import { ErrorParams, read } from '../shapes';
import type { TurnMessage } from './selectTurn';

/** An error after which the server tries again, or a sign that the model answers. */
type Sign = { kind: 'retry'; reason: string } | { kind: 'answer'; reason: '' };

const signOf = (message: TurnMessage): Sign[] => {
  if (message.kind !== 'notification') return [];
  if (message.method.startsWith('item/')) return [{ kind: 'answer', reason: '' }];
  if (message.method !== 'error') return [];
  const { error, willRetry } = read(ErrorParams, message.params);
  return willRetry ? [{ kind: 'retry', reason: error.message }] : [];
};

/**
 * Emits when the server has been retrying for `waitMs` and the model gave no sign in between.
 *   in   -e--e-i-e---     (e an error that is retried, i a notification about an item)
 *   out  ------------L    (counted from the first e of a series)
 * Source: codex app-server 0.154.0 and 0.169.0, which wait for the network endlessly.
 */
export const modelUnreachable =
  (waitMs: number): OperatorFunction<TurnMessage, TurnStop> =>
  (message$: Observable<TurnMessage>) =>
    message$.pipe(
      mergeMap(signOf),
      distinctUntilKeyChanged('kind'),
      switchMap(({ kind, reason }) => (kind === 'retry' ? timer(waitMs).pipe(map(() => reason)) : EMPTY)),
      map((reason) => ({
        kind: 'expired',
        message: `The model could not be reached for ${waitMs / 1000} s and the turn was stopped. ${reason}`.trim(),
      })),
    );
