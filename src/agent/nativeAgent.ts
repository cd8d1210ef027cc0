/** The native engine: many conversations in this process, each with a model of its own. */
import { defer, finalize, map, type Observable, Subject } from 'rxjs';
import type { Engine } from '../protocol/codex';
import type { ThreadStore } from '../rollout';
import { runThreads, type ThreadsDeps } from '../turns';
import { type FindDeps, findThread } from './findThread';
import { type RecordTurnDeps, recordTurn } from './recordTurn';
import { runTurn, type TurnDeps } from './runTurn';
import type { Thread } from './steps';

/**
 * @param openStore makes the store of a connection, where its threads are kept; @param now ms since 1970
 * @param openTools makes the `toolsOf` of a connection, whose servers end when `over$` emits
 */
export type NativeDeps = Omit<TurnDeps, 'ask' | 'toolsOf'> &
  Pick<ThreadsDeps<Thread>, 'turnTimeoutMs'> &
  FindDeps &
  RecordTurnDeps & {
    openStore: () => ThreadStore;
    openTools: (over$: Observable<void>) => TurnDeps['toolsOf'];
  };

/**
 * An engine that runs turns in this process. Threads run side by side, turns of one thread one after another.
 * Threads live as long as the connection, because a reply to one may come any time, and so do the MCP servers that some of
 * them needed. A reply to a thread that only the store knows resumes it. Unsubscribing stops all turns.
 *   op   a-b-c---|        (a, b on one thread, c on another; t an event, z the last one)
 *   out  t---t-(zt)--z-(z|)
 */
export const nativeAgent =
  (deps: NativeDeps): Engine =>
  (ask) =>
  (op$) =>
    defer(() => {
      const over$ = new Subject<void>(); // the wire from the end of the connection to the MCP servers
      const run = runTurn({ ...deps, ask, toolsOf: deps.openTools(over$) });
      const store = deps.openStore();
      const find = findThread(deps, store);
      const open: ThreadsDeps<Thread>['open'] = ({ op, entry }, keep) =>
        find(entry).pipe(
          map((thread) => {
            const turn = { op, thread, turnId: deps.newId(), opensThread: entry.id === undefined };
            const recorded = recordTurn(deps, { turn, keep: (history) => keep({ ...thread, history }) });
            return { thread, run: (stop$) => recorded((keepHistory) => run(turn, { stop$, keep: keepHistory })) };
          }),
        );
      return op$.pipe(
        runThreads({ ...deps, open }),
        finalize(() => {
          over$.next();
          store.close();
        }),
      );
    });
