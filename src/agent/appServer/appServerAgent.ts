/** The engine that runs turns in an installed Codex: one server process per place where threads work, started when it is needed. */
import {
  catchError,
  concat,
  connect,
  defer,
  EMPTY,
  exhaustMap,
  groupBy,
  last,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  retry,
  Subject,
  take,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import type { Engine } from '../../protocol/codex/engine';
import type { Event } from '../../protocol/codex/events';
import { ConfigError } from '../../settings/faults/configError';
import { muted } from '../../streams/ends';
import { countQuestions } from '../turns/askInTurn';
import type { TurnPorts as QueuePorts } from '../turns/queueTurns';
import { CannotBegin } from '../turns/rejection';
import type { Released, ThreadsDeps, UnusedThreads } from '../turns/runOpened';
import { runThreads } from '../turns/runThreads';
import type { ThreadEntry } from '../turns/threadRegistry';
import { closingEventsOf, turnEvent } from '../turns/turnEvents';
import { ConnectionLost, type Link } from './connection/link';
import { type OpenedThread, type OpeningThread, openThread, type ServerPlace, type Thread } from './threads/openThread';
import { type OpenedTurn, runTurn, type TurnDeps, type TurnPorts } from './turns/runTurn';
import { withSettings } from './turns/turnRequests';

export type AppServerDeps = Omit<TurnDeps, 'ask' | 'paramsOf' | 'readRollout' | 'limits'> &
  Pick<ThreadsDeps<Thread>, 'turnTimeoutMs' | 'log'> & {
    /** Time in ms, without jumps, for a turn that waits for a person. */
    turnClockMs: () => number;
    /** The place of a thread. Emits once; errors with ConfigError or CannotBegin. A place is always the same object. */
    placeOf: (entry: ThreadEntry<Thread>) => Observable<ServerPlace>;
    /** How long, and how many, unused threads stay in a server, each with its MCP servers; by default they stay for ever. */
    unused?: Omit<UnusedThreads<Thread>, 'release'>;
  };

/**
 * An engine in front of `codex app-server`. Threads run side by side, turns of one thread one after another, because the server
 * would merge two into one. Each place has a process, which lives from the first turn there to the end of the engine. When it dies, turns that have begun
 * fail with the reason; a turn that has not begun is started in another process, once; and the next call, which loads its thread again, starts
 * another too. Unsubscribing ends the processes.
 *   op      a-b---c-|
 *   server  s-----#        (s started by a; # dies)
 *   out     t---t-(ff)...  (t an event, f failed; c starts a new process)
 */
export const appServerAgent =
  (deps: AppServerDeps): Engine =>
  (ask) =>
  (op$) =>
    defer(() => {
      const used$ = new Subject<ServerPlace>(); // the wire from threads that open to the servers that stay
      const use = (place: ServerPlace) => used$.next(place);
      const { isAsking, ...asking } = countQuestions(ask);
      return op$.pipe(
        runThreads({
          ...deps,
          open: open({ ...deps, ...asking, use }),
          close: closeThread,
          pause: { isAsking, clockMs: deps.turnClockMs },
          unused: deps.unused && { ...deps.unused, release: releaseThread },
        }),
        keepServerAlive(used$.pipe(connectPlaces())),
      );
    });

type AgentDeps = Omit<AppServerDeps, 'placeOf'> & TurnDeps & { place: ServerPlace };

const open =
  (deps: AppServerDeps & Pick<TurnDeps, 'ask'> & { use: (place: ServerPlace) => void }): ThreadsDeps<Thread>['open'] =>
  ({ op, entry }, keep) =>
    deps.placeOf(entry).pipe(
      take(1),
      tap(deps.use),
      mergeMap((place) => {
        const at = { ...deps, ...place, place };
        return prepare(at, { ...entry, ...('lasting' in op && { lasting: op.lasting }) }).pipe(
          map((plain) => {
            const opened = withSettings(at, plain, op);
            return {
              thread: opened.thread,
              bounds: place.boundsOf({ ...opened.thread.added, ...opened.thread.settings }),
              run: (ports: QueuePorts) => runPrepared(at, { op, opened }, { ...ports, keep }),
            };
          }),
        );
      }),
    );

/** A server, and the thread in it. A server that is gone before it answered is replaced, once. */
const prepare = (deps: AgentDeps, entry: OpeningThread): Observable<OpenedThread> =>
  deps.place.link$.pipe(
    take(1),
    mergeMap((link) => openThread(deps, link, entry)),
    tap(({ thread, msgs }) => msgs.length > 0 && deps.place.began(thread.id)),
    map((opened) => ({ ...opened, thread: { ...opened.thread, place: deps.place } })),
    keepServerAlive(deps.place.link$), // opening may take longer than an unused server is kept
    retry({ count: 1, delay: (error) => (error instanceof ConnectionLost ? of(null) : throwError(() => error)) }),
    asCannotBegin(deps),
  );

/** If a server does not start, or dies twice, the call cannot begin, which is logged. */
const asCannotBegin = <T>({ log }: Pick<AgentDeps, 'log'>): OperatorFunction<T, T> =>
  catchError((error: Error) => {
    if (error instanceof ConfigError || error instanceof CannotBegin) return throwError(() => error);
    log('warning', 'a call could not begin', { reason: error.message });
    return throwError(() => new CannotBegin(error.message));
  });

/** The turn; if its server is gone before the turn began, the turn in another server, once. */
const runPrepared = (deps: AgentDeps, { op, opened }: OpenedTurn, ports: TurnPorts): Observable<Event> =>
  runOnce(deps, { op, opened }, ports).pipe(
    catchError((error) => {
      if (!(error instanceof ConnectionLost)) return throwError(() => error);
      const { id, settings } = opened.thread;
      const isNew = opened.msgs.length > 0; // its server has not stored it yet
      return prepare(deps, isNew ? { settings } : { id, thread: opened.thread }).pipe(
        mergeMap((again) => runOnce(deps, { op, opened: withSettings(deps, again, op) }, ports)),
        catchError(({ message }: Error) => of(...failedEvents({ op, opened }, message))),
      );
    }),
  );

const runOnce = (deps: AgentDeps, { op, opened }: OpenedTurn, ports: TurnPorts): Observable<Event> =>
  concat(
    of(...opened.msgs.map((msg) => turnEvent({ op, threadId: opened.thread.id, turnId: '' }, msg))),
    defer(() => (op.kind === 'open' ? EMPTY : runTurn(deps)({ op, opened }, ports))),
  ).pipe(keepServerAlive(deps.place.link$));

const failedEvents = ({ op, opened: { thread } }: OpenedTurn, message: string): Event[] =>
  closingEventsOf({ op, threadId: thread.id, turnId: '' }, { kind: 'failed', message });

/** A place with its shared server. */
type Place = { link$: Observable<Link> };

/**
 * Subscribes to one server per place, from the first thread there on; a server that is gone is restarted by the next thread there. Never errors.
 *   used     a-b-a---a      (a, b places)
 *   a.link$  s-----#  s     (s ready, # gone)
 *   b.link$    s-------
 */
export const connectPlaces =
  <P extends Place>(): OperatorFunction<P, Link> =>
  (used$) =>
    used$.pipe(
      groupBy((place) => place),
      mergeMap((same$) => same$.pipe(exhaustMap(({ link$ }) => link$.pipe(catchError(() => EMPTY))))),
    );

/** The server unloads a thread that has no subscriber. */
const unload = ({ id: threadId, loadedBy }: Thread): void =>
  loadedBy.requestAndForget('thread/unsubscribe', { threadId });

/** Gives back a thread that was closed. Completes at once. */
export const closeThread = (thread: Thread): Observable<never> => {
  unload(thread);
  return EMPTY;
};

/** Gives back a thread that is not in use. A thread without a turn is not stored, so it is kept: it could not be loaded again. */
export const releaseThread = (thread: Thread): Released<Thread> => {
  if (thread.turnId === '') return { kind: 'kept' };
  unload(thread);
  return { kind: 'unloaded', thread: { ...thread, isUnloaded: true } };
};

/**
 * Passes the source, and stays subscribed to `server$` until the source ends. The loss of the server is not an error here.
 *   in       -a--b---|
 *   server$  --s--#
 *   out      -a--b---|
 */
export const keepServerAlive =
  <T>(server$: Observable<unknown>): MonoTypeOperatorFunction<T> =>
  (source$) =>
    source$.pipe(
      connect((shared$) => merge(shared$, server$.pipe(muted(), takeUntil(shared$.pipe(last(null, null)))))),
    );
