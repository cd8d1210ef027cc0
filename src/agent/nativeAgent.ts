/** The native engine: many conversations in this process, each with a model of its own. */
import { defer, EMPTY, finalize, type Observable, of, Subject } from 'rxjs';
import type { Config } from '../config';
import type { Engine, ThreadSettings } from '../protocol/codex';
import type { Model } from '../protocol/model';
import type { ToolRow } from '../tools';
import { runThreads, sessionApprovals, type ThreadsDeps } from '../turns';
import { noHistory } from './history';
import { runTurn, type TurnDeps } from './runTurn';
import type { Thread } from './steps';

/**
 * @param configure throws ConfigError; @param modelOf makes the model of a thread
 * @param builtInTools makes the tools of a new thread that need no server
 * @param newId never gives the same id twice
 * @param openTools makes the `toolsOf` of a connection, whose servers end when `over$` emits
 */
export type NativeDeps = Omit<TurnDeps, 'ask' | 'toolsOf'> &
  Pick<ThreadsDeps<Thread>, 'turnTimeoutMs'> & {
    configure: (settings: ThreadSettings) => Config;
    modelOf: (provider: Config['provider']) => Model;
    newId: () => string;
    builtInTools: (config: Config) => readonly ToolRow[];
    openTools: (over$: Observable<void>) => TurnDeps['toolsOf'];
  };

/**
 * An engine that runs turns in this process. Threads run side by side, turns of one thread one after another.
 * Threads live as long as the connection, because a reply to one may come any time, and so do the MCP servers that some of
 * them needed. Unsubscribing stops all turns.
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
      const open: ThreadsDeps<Thread>['open'] = ({ op, entry }, keep) => {
        const thread = entry.thread ?? (entry.settings && startThread(deps, entry.settings));
        if (thread === undefined) return EMPTY;
        const turn = { op, thread, turnId: deps.newId(), opensThread: entry.thread === undefined };
        return of({ thread, run: (stop$) => run(turn, { stop$, keep: (history) => keep({ ...thread, history }) }) });
      };
      return op$.pipe(
        runThreads({ ...deps, open }),
        finalize(() => over$.next()),
      );
    });

const startThread = ({ configure, newId, modelOf, builtInTools }: NativeDeps, settings: ThreadSettings): Thread => {
  const config = configure(settings);
  const [id, model] = [newId(), modelOf(config.provider)];
  return { id, config, model, history: noHistory, approvals: sessionApprovals(), builtIn: builtInTools(config) };
};
