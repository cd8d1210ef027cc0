/**
 * The native engine: many conversations in this process, each with a model of its own. From an operation to the request of the model:
 * 1. `runThreads` (turns/) finds the thread of the operation, and `queueTurns` lets one turn of a thread run at a time.
 * 2. `runOpened` opens the thread when its turn has come: `openTurn`, below, finds or resumes it (`findThread`) under the operation's settings.
 * 3. `recordTurn` (turn/) writes what the operation does to the record of the thread.
 * 4. `runOperation` (turn/) chooses what that is: a turn with input, a compaction, or nothing but opening the thread.
 * 5. `runTurn` (turn/) puts the first messages and the tools together, and asks for answers until the model asks for nothing more.
 * 6. `sampleOnce` (sampling/) makes one answer: it sends the request (`askModel`), and runs the calls of the model (`prepareCall`).
 * 7. The model of the thread (model/) writes its dialect, and `askHttp` (modelHttp/) sends it.
 */
import { defer, finalize, type Observable, Subject } from 'rxjs';
import type { Engine } from '../protocol/codex/engine';
import type { ThreadOp } from '../protocol/codex/operations';
import { type TurnSettings, withTurnSettings } from '../protocol/codex/turnSettings';
import { type Awaitable, mapReady, toStream } from '../streams/awaitable';
import type { ThreadStore } from '../threads/threadStore';
import { configuredBy, type FindDeps, findThread } from './findThread';
import type { Thread } from './thread/steps';
import { isSameMachine } from './thread/workspace';
import { type RecordTurnDeps, recordedBy, recordTurn } from './turn/recordTurn';
import { type OperationDeps, runOperation } from './turn/runOperation';
import type { TurnDeps } from './turn/runTurn';
import { sessionApprovals } from './turns/approval';
import { countQuestions } from './turns/askInTurn';
import { UNUSED_THREADS } from './turns/releaseUnused';
import type { ThreadsDeps } from './turns/runOpened';
import { runThreads } from './turns/runThreads';
import type { ThreadEntry } from './turns/threadRegistry';

/** What the engine needs from its surroundings. */
export type NativeDeps = Omit<OperationDeps, 'ask' | 'toolsOf'> &
  Pick<ThreadsDeps<Thread>, 'turnTimeoutMs'> &
  FindDeps &
  RecordTurnDeps & {
    /** How long an unused thread stays in memory; 30 minutes by default. */
    unusedMs?: number;
    /** Makes the store of a connection, where its threads are kept. */
    openStore: () => ThreadStore;
    /** Time in ms, without jumps: decides when unused threads are released. */
    steadyMs: () => number;
    /** The same for the time of a turn that waits for a person. */
    turnClockMs: () => number;
    /** Begins each turn when its time has come, as many may come at once: see `startsInTurns`. By default at once. */
    startTurn?: <T>(turn$: Observable<T>) => Observable<T>;
    /** Emits once so many ms have passed; a timer by default. */
    afterIdle?: (ms: number) => Observable<unknown>;
    /** Makes the `toolsOf` of a connection, whose servers end when `over$` emits. */
    openTools: (over$: Observable<void>) => TurnDeps['toolsOf'];
  };

/**
 * An engine that runs turns in this process. Threads run side by side, turns of one thread one after another.
 * An unused thread, and the MCP servers that it needed, stay in memory for a while, because a reply may come at any time.
 * A reply to a thread that only the store knows resumes it. Unsubscribing stops all turns.
 *   op   a-b-c---|        (a, b on one thread, c on another; t an event, z the last one)
 *   out  t---t-(zt)--z-(z|)
 */
export const nativeAgent =
  (deps: NativeDeps): Engine =>
  (ask) =>
  (op$) =>
    defer(() => {
      const over$ = new Subject<void>(); // the wire from the end of the connection to the MCP servers
      const { isAsking, ...asking } = countQuestions(ask);
      const connected = { ...deps, ...asking, toolsOf: deps.openTools(over$) };
      const store = deps.openStore();
      const open = startedBy(deps.startTurn, openTurn(connected, findThread(deps, store)));
      return op$.pipe(
        runThreads({
          ...deps,
          open,
          close: closeRecord,
          unused: unusedThreads(deps),
          pause: { isAsking, clockMs: deps.turnClockMs },
        }),
        finalize(() => {
          over$.next();
          store.close();
        }),
      );
    });

type OpenTurn = ThreadsDeps<Thread>['open'];

const startedBy = (startTurn: NativeDeps['startTurn'], open: OpenTurn): OpenTurn =>
  startTurn === undefined ? open : (turn, keep) => startTurn(defer(() => toStream(open(turn, keep))));

/** Opens the thread that an operation names, under the settings that it asks for. */
const openTurn =
  (deps: NativeDeps & TurnDeps, find: ReturnType<typeof findThread>): OpenTurn =>
  ({ op, entry }, keep) =>
    mapReady(find(entry, 'lasting' in op ? op.lasting : undefined), (known) => {
      const changes = { lasting: lastingOf(op, entry, known), own: inputOf(op)?.settings };
      return mapReady(withSettings(deps, known, changes), ({ lasting, thread }) => {
        const turn = { op, thread, turnId: deps.newId(), opensThread: entry.id === undefined };
        const keepHistory = (history: Thread['history']) => keep({ ...lasting, ...recordedBy(thread), history });
        return {
          thread: lasting,
          bounds: thread.config,
          run: (ports) =>
            recordTurn(deps, { turn, keep: keepHistory }, (keep) => runOperation(deps, turn, { ...ports, keep })),
        };
      });
    });

const inputOf = (op: ThreadOp) => (op.kind === 'turn' || op.kind === 'input' ? op : undefined);

/** A thread that was just resumed has them already. A remote machine is checked again before each turn of an open thread. */
const lastingOf = (op: ThreadOp, entry: ThreadEntry<Thread>, known: Thread): TurnSettings | undefined => {
  const input = inputOf(op);
  if (entry.thread !== known) return entry.id === undefined ? input?.lasting : undefined;
  return input && (input.lasting ?? (known.workspace.environment && {}));
};

/** What an operation changes about a thread; most change nothing. */
type Changes = {
  /** For good. */
  lasting: TurnSettings | undefined;
  /** For this turn only. */
  own: TurnSettings | undefined;
};

/** The thread as it is from now on (`lasting`), and as it is in this turn (`thread`). */
const withSettings = (
  deps: FindDeps,
  known: Thread,
  changes: Changes,
): Awaitable<{ lasting: Thread; thread: Thread }> =>
  mapReady(changed(deps, known, changes.lasting), (lasting) =>
    mapReady(changed(deps, lasting, changes.own), (thread) => ({ lasting, thread })),
  );

/** The thread under other settings; the operator's limits apply to these too. Approvals were meant for one machine only. */
const changed = (deps: FindDeps, thread: Thread, settings: TurnSettings | undefined): Awaitable<Thread> =>
  settings === undefined
    ? thread
    : mapReady(configuredBy(deps, withTurnSettings(thread.settings, settings), thread.workspace), (configured) => ({
        ...thread,
        ...configured,
        ...(!isSameMachine(thread.workspace, configured.workspace) && { approvals: sessionApprovals() }),
      }));

/** A released thread is read from its rollout when it is used again. */
const unusedThreads = (deps: NativeDeps): ThreadsDeps<Thread>['unused'] => ({
  afterMs: deps.unusedMs ?? UNUSED_THREADS.afterMs,
  most: UNUSED_THREADS.most,
  clockMs: deps.steadyMs,
  after: deps.afterIdle,
  release: ({ record }) => {
    if (!record.isKept()) return { kind: 'kept' };
    record.close();
    return { kind: 'released' };
  },
});

/** The thread can be resumed from now on, here and by other processes. */
const closeRecord = ({ record }: Thread): Observable<never> => defer(() => record.close());
