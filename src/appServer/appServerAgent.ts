/** The engine that runs turns in an installed Codex: one server process for all threads, started when it is needed. */
import {
  catchError,
  concat,
  connect,
  defer,
  EMPTY,
  exhaustMap,
  filter,
  map,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  retry,
  take,
  throwError,
} from 'rxjs';
import { ConfigError } from '../config';
import type { Engine, Event, ThreadOp } from '../protocol/codex';
import {
  CannotBegin,
  closingMsgs,
  type Released,
  runThreads,
  type ThreadEntry,
  type ThreadsDeps,
  turnEvent,
  type UnusedThreads,
} from '../turns';
import { ConnectionLost } from './connectionLost';
import { holdServer } from './holdServer';
import type { Link } from './link';
import { type OpenedThread, openThread, type Thread } from './openThread';
import { runTurn, type TurnDeps, type TurnPorts } from './runTurn';
import { withSettings } from './turnParams';

/**
 * @param link$ a server that is ready, shared, and started anew when it died; see sharedLink
 * @param unused how long, and how many, unused threads stay in the server, each with its MCP servers; for ever where it is absent
 */
export type AppServerDeps = Omit<TurnDeps, 'ask'> &
  Pick<ThreadsDeps<Thread>, 'turnTimeoutMs' | 'log'> & {
    link$: Observable<Link>;
    unused?: Omit<UnusedThreads<Thread>, 'release'>;
  };

/**
 * An engine in front of `codex app-server`. Threads run side by side, turns of one thread one after another, because the server
 * would make one turn of two. The process lives from the first turn to the end of the engine; when it dies, turns that have begun
 * fail with the reason, a turn that has not is started in another process, once, and so is the next call, which loads its
 * thread again. Unsubscribing ends the process.
 *   op      a-b---c-|
 *   server  s-----#        (s started by a; # dies)
 *   out     t---t-(ff)...  (t an event, f failed; c starts a new process)
 */
export const appServerAgent =
  (deps: AppServerDeps): Engine =>
  (ask) =>
  (op$) =>
    op$.pipe(
      connect((shared$) =>
        shared$.pipe(
          runThreads({
            ...deps,
            open: open({ ...deps, ask }),
            close,
            unused: deps.unused && { ...deps.unused, release },
          }),
          holdServer(
            shared$.pipe(
              filter(({ kind }) => kind !== 'interrupt' && kind !== 'interruptThread' && kind !== 'close'),
              exhaustMap(() => deps.link$.pipe(catchError(() => EMPTY))),
            ),
          ),
        ),
      ),
    );

type AgentDeps = AppServerDeps & TurnDeps;

const open =
  (deps: AgentDeps): ThreadsDeps<Thread>['open'] =>
  ({ op, entry }, keep) =>
    prepare(deps, entry).pipe(
      map((plain) => {
        const opened = withSettings(deps, plain, op);
        return { thread: opened.thread, run: (ports) => runPrepared(deps, { op, opened }, { ...ports, keep }) };
      }),
    );

/** The server unloads a thread that nobody follows. */
const unload = ({ id: threadId, loadedBy }: Thread): void =>
  loadedBy.requestAndForget('thread/unsubscribe', { threadId });

const close = (thread: Thread): Observable<never> => {
  unload(thread);
  return EMPTY;
};

/** A thread without a turn is not stored, so nothing could load it again. */
const release = (thread: Thread): Released<Thread> => {
  if (thread.turnId === '') return { kind: 'kept' };
  unload(thread);
  return { kind: 'unloaded', thread: { ...thread, isUnloaded: true } };
};

/** A server, and the thread in it. A server that is gone before it answered is replaced, once. */
const prepare = (deps: AgentDeps, entry: ThreadEntry<Thread>): Observable<OpenedThread> =>
  deps.link$.pipe(
    take(1),
    mergeMap((link) => openThread(deps, link, entry)),
    holdServer(deps.link$), // opening may take longer than an unused server is kept
    retry({ count: 1, delay: (error) => (error instanceof ConnectionLost ? of(null) : throwError(() => error)) }),
    asCannotBegin(deps),
  );

/** A server that does not start, or dies twice, is a call that cannot begin, which is logged. */
const asCannotBegin = <T>({ log }: AgentDeps): OperatorFunction<T, T> =>
  catchError((error: Error) => {
    if (error instanceof ConfigError || error instanceof CannotBegin) return throwError(() => error);
    log('warning', 'a call could not begin', { reason: error.message });
    return throwError(() => new CannotBegin(error.message));
  });

type Prepared = { op: ThreadOp; opened: OpenedThread };

/** The turn; where its server is gone before it began, the turn in another server, once. */
const runPrepared = (deps: AgentDeps, { op, opened }: Prepared, ports: TurnPorts): Observable<Event> =>
  runOnce(deps, { op, opened }, ports).pipe(
    catchError((error) => {
      if (!(error instanceof ConnectionLost)) return throwError(() => error);
      const { id, settings } = opened.thread;
      const isNew = opened.msgs.length > 0; // its server has not stored it yet
      return prepare(deps, isNew ? { settings } : { id, settings }).pipe(
        mergeMap((again) => runOnce(deps, { op, opened: withSettings(deps, again, op) }, ports)),
        catchError(({ message }: Error) => of(...failedEvents({ op, opened }, message))),
      );
    }),
  );

const runOnce = (deps: AgentDeps, { op, opened }: Prepared, ports: TurnPorts): Observable<Event> =>
  concat(
    of(...opened.msgs.map((msg) => turnEvent({ op, threadId: opened.thread.id, turnId: '' }, msg))),
    defer(() => (op.kind === 'open' ? EMPTY : runTurn(deps)({ op, opened }, ports))),
  ).pipe(holdServer(deps.link$));

const failedEvents = ({ op, opened: { thread } }: Prepared, message: string): Event[] =>
  closingMsgs({ kind: 'failed', message }).map((msg) => turnEvent({ op, threadId: thread.id, turnId: '' }, msg));
