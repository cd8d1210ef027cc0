/** Keeps an error of the engine to the calls that are open. */
import {
  catchError,
  connect,
  EMPTY,
  from,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  repeat,
  take,
  tap,
} from 'rxjs';
import type { Engine } from '../../protocol/codex/engine';
import { type Event, isLast } from '../../protocol/codex/events';
import type { Op } from '../../protocol/codex/operations';
import type { Log } from '../../protocol/log';
import { lazy } from '../../streams/lazy/lazy';

/**
 * The same engine, subscribed with its first operation, which never errors: whatever throws in it, at its start or later, rejects the calls
 * that are open then, and the next operation starts it again. An error that belongs to one call should not get this far, because it
 * ends the others too.
 *   op      a-b--c-     (a ends, b is open when the engine errors, c comes after it)
 *   engine  A--#
 *   out     A--(R)C     (R b is rejected with the reason)
 */
export const withoutErrors =
  (log: Log, engine: Engine): Engine =>
  (ask) =>
  (op$) =>
    op$.pipe(
      connect((shared$) => {
        const open = new Map<string, Op>(); // changed in place: the calls that have had no last event
        let hasFailed = false;
        return shared$.pipe(
          tap((op) => op.kind !== 'interrupt' && open.set(op.callId, op)),
          fromFirst((op$) => engine(ask)(op$)),
          tap((event) => isLast(event) && open.delete(event.callId)),
          catchError((error: unknown) => {
            hasFailed = true;
            return rejected(log, open, error instanceof Error ? error : new Error(String(error)));
          }),
          repeat({
            delay: () => {
              const again$ = hasFailed ? of(true) : EMPTY;
              hasFailed = false;
              return again$;
            },
          }),
        );
      }),
    );

/** The rejections of all open calls, which are then over. It is logged once. */
const rejected = (log: Log, open: Map<string, Op>, error: Error): Observable<Event> => {
  const calls = [...open.values()];
  open.clear();
  const { rejection, rejectionText } = turns();
  const message = rejectionText(log, calls[0] ?? { callId: '' }, error);
  return from(calls.map((op) => rejection(op, message)));
};

/** Begins with the first operation. The engine is subscribed to the later ones before it gets the first, as an event of the first may lead to one. */
const fromFirst =
  (engine: OperatorFunction<Op, Event>): OperatorFunction<Op, Event> =>
  (op$) =>
    op$.pipe(
      connect((op$) =>
        op$.pipe(
          take(1),
          mergeMap((first) => merge(op$, of(first)).pipe(connect(engine))),
        ),
      ),
    );

/** Loaded by the first error, as start-up time counts: it knows the errors of the configuration. */
const turns = lazy(() => require('../../agent/turns/rejection') as typeof import('../../agent/turns/rejection'));
