/** The operation `compact`: the conversation of a thread becomes a summary of itself. */
import { catchError, concat, concatMap, defer, filter, type Observable, of } from 'rxjs';
import type { Event } from '../protocol/codex';
import type { ResponseItem } from '../protocol/model';
import { untilStopped } from '../turns';
import { budgetOf } from './budget';
import { type Compaction, compacted } from './compacted';
import { openingItems } from './context';
import { closeAnswer, noHistory } from './history';
import { configured, failedByBug, startedEvent } from './runTurn';
import { type BegunTurn, endOf, eventOf, isEvent, type TurnStep } from './steps';
import { summarize } from './summarize';
import type { TurnDeps, TurnPorts } from './turnDeps';

/**
 * Runs a turn that summarizes. Emits its events; the last is `task_complete` or `turn_aborted`. A summary that fails is an `error`, and
 * leaves the conversation as it is. A conversation without a message is left as it is, too. Never errors.
 *   model  -m-(Uz|)          (m the summary, z completed)
 *   out    s--(UCc|)         (s task_started, U token_count, C context_compacted, c task_complete)
 */
export const compactThread =
  (deps: TurnDeps) =>
  (turn: BegunTurn, { stop$, keep }: TurnPorts): Observable<Event> =>
    concat(configured(deps, turn), of(startedEvent(turn)), summary(deps, turn, keep)).pipe(
      filter(isEvent),
      untilStopped(stop$, (stop) => endOf(turn, stop)),
    );

const summary = (deps: TurnDeps, turn: BegunTurn, keep: TurnPorts['keep']): Observable<TurnStep> =>
  defer(() => {
    const { past } = closeAnswer(turn.thread.history);
    if (past.length === 0) return of(...endOf(turn, { kind: 'finished', message: null }));
    return summarize(deps)(turn, past).pipe(
      concatMap((step) => {
        if (step.kind !== 'summary') return of(step);
        keep({ ...noHistory, past: shortened(deps, turn.thread, { past, summary: step.text }) });
        return of(eventOf(turn, { type: 'context_compacted' }), ...endOf(turn, { kind: 'finished', message: null }));
      }),
    );
  }).pipe(catchError((error: Error) => of(...failedByBug(deps.log, turn, error))));

/** The conversation after its summary, under the instructions and the environment as they are now. */
const shortened = (
  { userInstructions }: TurnDeps,
  { config }: BegunTurn['thread'],
  content: Pick<Compaction, 'past' | 'summary'>,
): ResponseItem[] => {
  const opening = openingItems(config, userInstructions(config.cwd, config.projectDocMaxBytes));
  return compacted({ ...content, opening, keepBytes: budgetOf(config).keepBytes });
};
