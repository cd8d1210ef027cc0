/** Owns one turn, from the user's message to its last event. */
import {
  catchError,
  concat,
  defer,
  EMPTY,
  endWith,
  expand,
  merge,
  mergeMap,
  type Observable,
  of,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';
import type { Log } from '../log';
import { isLast, type ResponseItem } from '../protocol';
import { type SampleDeps, sampleOnce } from './sampleOnce';
import { record, type Sample, type Step, type Turn, tell, toMessage } from './step';

export type TurnDeps = SampleDeps & { log: Log; turnTimeoutMs: number };

const isOver = (step: Step): boolean => 'callId' in step && isLast(step);

/**
 * Runs a turn. Emits its events and what goes into the history; the last is `task_complete` or `turn_aborted`.
 * @param stop$ emits when the caller wants no more of it
 * Unsubscribing stops the model and every command.
 *   model  -t--z|        stop$ ---x
 *   out    (sr)-T--(Uc|)       (sr)-T-(a|)   (s task_started, r the message, c task_complete, a turn_aborted)
 */
export const runTurn =
  (deps: TurnDeps) =>
  (turn: Turn, past: readonly ResponseItem[], stop$: Observable<unknown>): Observable<Step> => {
    const message = toMessage('user', turn.op.prompt);
    const first: Sample = { kind: 'sample', history: [...past, message], attempt: 0, said: null };
    return concat(
      of(tell(turn, { type: 'task_started', model_context_window: turn.thread.config.contextWindow }), record(message)),
      merge(samples(deps, turn, first), deadline(deps, turn)),
    ).pipe(
      takeWhile(({ kind }) => kind !== 'stop'),
      takeUntil(stop$),
      endWith(tell(turn, { type: 'turn_aborted', reason: 'interrupted' })),
      takeWhile((step) => !isOver(step), true),
    );
  };

const samples = (deps: TurnDeps, turn: Turn, first: Sample): Observable<Step> =>
  of<Step>(first).pipe(
    expand((step) => (step.kind === 'sample' ? sampleOnce(deps)(turn, step) : EMPTY)),
    catchError((error: Error) => defer(() => of(...failed(deps.log, turn, error)))),
  );

const failed = (log: Log, turn: Turn, error: Error): Step[] => {
  log('error', 'a turn failed by a fault of ours', { callId: turn.op.callId, stack: error.stack });
  return [
    tell(turn, { type: 'error', message: `internal error: ${error.message}` }),
    tell(turn, { type: 'task_complete', last_agent_message: null }),
  ];
};

const deadline = ({ turnTimeoutMs }: TurnDeps, turn: Turn): Observable<Step> =>
  timer(turnTimeoutMs).pipe(
    mergeMap(() => [
      tell(turn, { type: 'error', message: `The turn took longer than ${turnTimeoutMs / 1000} s and was stopped.` }),
      { kind: 'stop' } as const,
    ]),
  );
