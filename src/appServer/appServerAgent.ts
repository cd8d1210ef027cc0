/** Owns the engine that runs turns in an installed Codex: one server process for all threads, started when it is needed. */
import {
  catchError,
  connect,
  defer,
  EMPTY,
  exhaustMap,
  ignoreElements,
  last,
  type MonoTypeOperatorFunction,
  merge,
  type Observable,
  takeUntil,
} from 'rxjs';
import type { Engine, Event } from '../protocol/codex';
import { byThread, ofKind, runInQueue } from '../streams';
import { runTurn, type TurnDeps } from './runTurn';
import { type Turn, threads } from './threads';

/** @param link$ a server that can be asked, shared, and started anew when it died; see sharedLink */
export type AppServerDeps = Omit<TurnDeps, 'ask' | 'keep' | 'drop'>;

/**
 * An engine in front of `codex app-server`. Threads run side by side, turns of one thread one after another, for the server
 * would make one turn of two. The process lives from the first turn to the end of the engine; when it dies, open turns fail
 * with the reason and the next one starts another, which loads its thread again. Unsubscribing ends the process.
 *   op      a-b---c-|
 *   server  s-----#        (s started by a; # dies)
 *   out     t---t-(ff)...  (t told, f failed; c starts a new one)
 */
export const appServerAgent =
  (deps: AppServerDeps): Engine =>
  (ask) =>
  (op$) =>
    defer(() => {
      const { address, keep, drop } = threads();
      const alive$ = deps.link$.pipe(catchError(() => EMPTY));
      const runAlone = runTurn({ ...deps, ask, keep, drop });
      const run: typeof runAlone = (turn, cancel$) => runAlone(turn, cancel$).pipe(holding(alive$));
      const turns = byThread<Turn>({
        address,
        threadOf: ({ thread }) => thread,
        run: (cancelled$) => runInQueue({ keyOf: ({ op }) => op.callId, cancelled$, run, withdrawn: dropped }),
      });
      return op$.pipe(
        connect((shared$) =>
          shared$.pipe(
            turns,
            holding(
              shared$.pipe(
                ofKind('turn'),
                exhaustMap(() => alive$),
              ),
            ),
          ),
        ),
      );
    });

/** Keeps the server for as long as there may be turns; one that died is let go of. */
const holding =
  (link$: Observable<unknown>): MonoTypeOperatorFunction<Event> =>
  (event$) =>
    event$.pipe(
      connect((shared$) => merge(shared$, link$.pipe(ignoreElements(), takeUntil(shared$.pipe(last(null, null)))))),
    );

/** A turn that was taken back while it waited. */
const dropped = ({ op, thread }: Turn): Event => ({
  kind: 'event',
  callId: op.callId,
  threadId: thread.id ?? '',
  turnId: '',
  id: op.eventId,
  msg: { type: 'turn_aborted', reason: 'interrupted' },
});
