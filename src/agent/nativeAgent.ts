/** The native engine: many conversations in this process, each with a model of its own. */
import { defer, EMPTY, finalize, type Observable, of, Subject } from 'rxjs';
import type { Config } from '../config';
import {
  type Engine,
  type Event,
  type ThreadOp,
  type ThreadSettings,
  type TurnSettings,
  withTurnSettings,
} from '../protocol/codex';
import type { Model } from '../protocol/model';
import type { ToolRow } from '../tools';
import { runThreads, sessionApprovals, type ThreadEntry, type ThreadsDeps } from '../turns';
import { compactThread } from './compactThread';
import { noHistory } from './history';
import { configured, runTurn } from './runTurn';
import type { BegunTurn, Thread } from './steps';
import type { TurnDeps, TurnPorts } from './turnDeps';

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
      const run = runOperation({ ...deps, ask, toolsOf: deps.openTools(over$) });
      const open: ThreadsDeps<Thread>['open'] = ({ op, entry }, keep) => {
        const known = entry.thread ?? newThread(deps, entry);
        if (known === undefined) return EMPTY;
        const lasting = changed(deps, known, lastingOf(op));
        const thread = changed(deps, lasting, op.kind === 'turn' || op.kind === 'input' ? op.settings : undefined);
        const turn = { op, thread, turnId: deps.newId(), opensThread: entry.thread === undefined };
        const keepHistory: TurnPorts['keep'] = (history) => keep({ ...lasting, history });
        return of({ thread: lasting, run: (ports) => run(turn, { ...ports, keep: keepHistory }) });
      };
      return op$.pipe(
        runThreads({ ...deps, open }),
        finalize(() => over$.next()),
      );
    });

const runOperation =
  (deps: TurnDeps) =>
  (turn: BegunTurn, ports: TurnPorts): Observable<Event> => {
    const { op } = turn;
    switch (op.kind) {
      case 'turn':
      case 'input':
        return runTurn(deps)({ ...turn, op }, ports);
      case 'compact':
        return compactThread(deps)(turn, ports);
      default:
        return configured(deps, turn);
    }
  };

/** A thread is started once: one that has an id was open before. */
const newThread = (deps: NativeDeps, { id, settings }: ThreadEntry<Thread>): Thread | undefined =>
  id === undefined && settings !== undefined
    ? {
        ...configuredBy(deps, settings),
        ...{ id: deps.newId(), history: noHistory, approvals: sessionApprovals() },
      }
    : undefined;

/** What follows from the settings of a thread. Throws ConfigError. */
const configuredBy = ({ configure, modelOf, builtInTools }: NativeDeps, settings: ThreadSettings) => {
  const config = configure(settings);
  return { settings, config, model: modelOf(config.provider), builtIn: builtInTools(config) };
};

const lastingOf = (op: ThreadOp): TurnSettings | undefined =>
  op.kind === 'turn' || op.kind === 'input' ? op.lasting : undefined;

/** The thread under other settings; the limits that the operator set hold for these too. */
const changed = (deps: NativeDeps, thread: Thread, own: TurnSettings | undefined): Thread =>
  own === undefined ? thread : { ...thread, ...configuredBy(deps, withTurnSettings(thread.settings, own)) };
