/** Records a turn while it runs. */
import { catchError, concat, defer, EMPTY, identity, NEVER, type Observable, of, takeUntil, throwError } from 'rxjs';
import { type Event, endsTurn } from '../../protocol/codex/events';
import { mapInTurn } from '../../streams/scanInTurn';
import { ThreadError } from '../../threads/threadError';
import type { History } from '../thread/history';
import { type BegunTurn, endOf } from '../thread/steps';
import type { Workspace } from '../thread/workspace';
import { recordEvent } from './recordEvent';
import { recordHistory } from './recordHistory';

/** @param now ms since 1970 */
export type RecordTurnDeps = { now: () => number };

/** @param keep what else the turn does with its history */
export type RecordedRun = { turn: BegunTurn; keep: (history: History) => void };

/**
 * Writes the events and the history of a turn to the record of its thread. Emits the events unchanged; the last one only when
 * the record has everything before it, and other processes may take the thread. The history of a turn follows its first event, even if it
 * was kept before that. A thread that is lost ends the turn with the reason.
 * @param run the turn; it calls `keep` with each new history
 *   run     s-m-z          (s task_started, m a message, z the last)
 *   out     s-m-z
 *   record  SCM-(ZE)       (C the context of the turn, E the end of the turn)
 *   run     s-m-           (stopped)
 *   lost    ---#
 *   out     s-m(Fz)        (F the reason)
 */
export const recordTurn =
  ({ now }: RecordTurnDeps, { turn, keep }: RecordedRun) =>
  (run: (keep: RecordedRun['keep']) => Observable<Event>): Observable<Event> =>
    defer(() => {
      const { record, config } = turn.thread;
      const environment = placeOf(turn.thread);
      const { keepAndRecord, begin } = historyRecord(turn, keep);
      return run(keepAndRecord).pipe(
        mapInTurn((event) => {
          record.write(...recordEvent({ turnId: turn.turnId, config, environment, nowMs: now() }, event));
          if (!opensThread(event)) begin();
          return endsTurn(event) ? ended(turn, event) : event;
        }),
        record.lost$ === NEVER ? identity : takeUntil(record.lost$),
        catchError((error: Error) =>
          error instanceof ThreadError ? of(...lost(turn, error)) : throwError(() => error),
        ),
      );
    });

const opensThread = (event: Event): boolean => event.kind === 'event' && event.msg.type === 'session_configured';

/** Records each new history, from `begin` on; those that were kept before are recorded at that point. */
const historyRecord = ({ thread: { record, history } }: BegunTurn, keep: RecordedRun['keep']) => {
  let recorded = history;
  let waiting: History[] | undefined = [];
  const write = (next: History) => {
    const { state, output } = recordHistory(recorded, next);
    recorded = state;
    record.write(...output);
  };
  const keepAndRecord = (next: History) => {
    if (waiting === undefined) write(next);
    else waiting.push(next);
    keep(next);
  };
  const begin = () => {
    waiting?.forEach(write);
    waiting = undefined;
  };
  return { keepAndRecord, begin };
};

/** EMPTY has nothing to wait for, and NEVER, as of a thread that stays with its process, emits nothing: neither is subscribed. */
const ended = ({ thread: { record } }: BegunTurn, event: Event): Event | Observable<Event> => {
  const written$ = record.endTurn();
  if (written$ !== EMPTY) {
    return concat(
      written$,
      defer(() => record.rest()),
      of(event),
    );
  }
  const rested$ = record.rest();
  return rested$ === EMPTY ? event : concat(rested$, of(event));
};

const lost = (turn: BegunTurn, { message }: ThreadError): Event[] => endOf(turn, { kind: 'failed', message });

/** A thread that now works on this machine may have begun on another. */
const placeOf = ({ workspace, settings }: BegunTurn['thread']): Workspace['environment'] =>
  workspace.environment ?? (settings.config?.environment_id === undefined ? undefined : { id: 'local' });
