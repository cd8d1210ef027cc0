/** The operation `compact`: replaces the conversation of a thread with a summary of itself. */
import { catchError, concatMap, defer, type Observable, of } from 'rxjs';
import type { Event } from '../../protocol/codex/events';
import { budgetOf } from '../compaction/budget';
import { compact, compactedEvent } from '../compaction/compact';
import type { TurnDeps, TurnPorts } from '../sampling/turnDeps';
import { closeAnswer } from '../thread/history';
import { type BegunTurn, endOf, type TurnStep } from '../thread/steps';
import { untilStopped } from '../turns/untilStopped';
import { configured, eventsOf, failedByBug, startedEvent } from './runTurn';

/**
 * Runs a turn that summarizes. Emits its events; the last is `task_complete` or `turn_aborted`. A summary that fails is an `error`, and
 * leaves the conversation as it is. So does a conversation without a message. Never errors.
 *   model  -m-(Uz|)          (m the summary, z completed)
 *   out    s--(UCc|)         (s task_started, U token_count, C context_compacted, c task_complete)
 */
export const compactThread =
  (deps: TurnDeps) =>
  (turn: BegunTurn, { stop$, keep }: TurnPorts): Observable<Event> =>
    summary(deps, turn, keep).pipe(
      eventsOf(() => [...configured(deps, turn), startedEvent(turn)]),
      untilStopped(stop$, (stop) => endOf(turn, stop)),
    );

const summary = (deps: TurnDeps, turn: BegunTurn, keep: TurnPorts['keep']): Observable<TurnStep> =>
  defer(() => {
    const history = closeAnswer(turn.thread.history);
    const { past } = history;
    if (past.length === 0) return of(...endOf(turn, { kind: 'finished', message: null }));
    const maxTokens = budgetOf(turn.thread.config).limitTokens;
    return compact(deps)(turn, { past, maxTokens }).pipe(
      concatMap((step) => {
        if (step.kind !== 'compacted') return of(step);
        keep({ ...history, past: step.past });
        return of(compactedEvent(turn), ...endOf(turn, { kind: 'finished', message: null }));
      }),
    );
  }).pipe(catchError((error: Error) => of(...failedByBug(deps.log, turn, error))));
