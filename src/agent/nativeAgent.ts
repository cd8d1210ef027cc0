/** The native engine: many conversations in this process, each with a model of its own. */
import {
  catchError,
  concat,
  concatMap,
  defer,
  finalize,
  type MonoTypeOperatorFunction,
  merge,
  type Observable,
  of,
  Subject,
} from 'rxjs';
import type { Engine } from '../protocol/codex/engine';
import type { Event } from '../protocol/codex/events';
import { textOf } from '../protocol/codex/input';
import type { ThreadOp } from '../protocol/codex/operations';
import { type TurnSettings, withTurnSettings } from '../protocol/codex/turnSettings';
import { type Awaitable, mapReady } from '../streams/awaitable';
import type { Prompt } from '../threads/keepPrompt';
import type { ThreadStore } from '../threads/threadStore';
import { budgetOf } from './compaction/budget';
import { compact, compactedEvent } from './compaction/compact';
import { configuredBy, type FindDeps, findThread } from './findThread';
import { type NotifyDeps, notifyTurn } from './notifyTurn';
import { type RecordTurnDeps, recordTurn } from './recording/recordTurn';
import type { TurnDeps, TurnPorts } from './sampling/turnDeps';
import { closeAnswer } from './thread/history';
import { type BegunTurn, endOf, type Thread, type TurnStep } from './thread/steps';
import { isSameMachine } from './thread/workspace';
import { keepUnfinished } from './turn/keepUnfinished';
import { configured, eventsOf, failedByBug, type InputTurn, runTurn, startedEvent } from './turn/runTurn';
import { UNUSED_THREADS } from './turns/releaseUnused';
import type { ThreadsDeps } from './turns/runOpened';
import { runThreads } from './turns/runThreads';
import { sessionApprovals } from './turns/sessionApprovals';
import type { ThreadEntry } from './turns/threadRegistry';
import { untilStopped } from './turns/untilStopped';

/**
 * @param unusedMs how long an unused thread stays in memory, 30 minutes by default
 * @param openStore makes the store of a connection, where its threads are kept; @param now ms since 1970
 * @param steadyMs ms without jumps, and @param afterIdle emits once so many ms have passed: they decide when unused threads are released
 * @param openTools makes the `toolsOf` of a connection, whose servers end when `over$` emits
 */
export type NativeDeps = Omit<TurnDeps, 'ask' | 'toolsOf'> &
  Pick<ThreadsDeps<Thread>, 'turnTimeoutMs'> &
  FindDeps &
  NotifyDeps &
  RecordPromptDeps &
  RecordTurnDeps & {
    unusedMs?: number;
    openStore: () => ThreadStore;
    steadyMs: () => number;
    afterIdle?: (ms: number) => Observable<unknown>;
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
      const run = runOperation({ ...deps, ask, toolsOf: deps.openTools(over$) });
      const store = deps.openStore();
      const open = openTurn(deps, findThread(deps, store), run);
      return op$.pipe(
        runThreads({ ...deps, open, close: closeRecord, unused: unusedThreads(deps) }),
        finalize(() => {
          over$.next();
          store.close();
        }),
      );
    });

type Find = ReturnType<typeof findThread>;
type Run = ReturnType<typeof runOperation>;

/** A turn of the thread that its operation names, under the settings that it asks for. */
const openTurn =
  (deps: NativeDeps, find: Find, run: Run): ThreadsDeps<Thread>['open'] =>
  ({ op, entry }, keep) =>
    mapReady(find(entry, inputOf(op)?.lasting), (known) => {
      const changes = { lasting: lastingOf(op, entry, known), own: inputOf(op)?.settings };
      return mapReady(withSettings(deps, known, changes), ({ lasting, thread }) => {
        const turn = { op, thread, turnId: deps.newId(), opensThread: entry.id === undefined };
        const recorded = recordTurn(deps, { turn, keep: (history) => keep({ ...lasting, history }) });
        return {
          thread: lasting,
          run: (ports) => recorded((keepHistory) => run(turn, { ...ports, keep: keepHistory })),
        };
      });
    });

/** The thread from now on, and the thread of this turn; most turns change neither. */
const withSettings = (deps: NativeDeps, known: Thread, { lasting, own }: Changes): Awaitable<Settled> =>
  mapReady(changed(deps, known, lasting), (lasting) =>
    mapReady(changed(deps, lasting, own), (thread) => ({ lasting, thread })),
  );

type Changes = { lasting: TurnSettings | undefined; own: TurnSettings | undefined };
type Settled = { lasting: Thread; thread: Thread };

const inputOf = (op: ThreadOp) => (op.kind === 'turn' || op.kind === 'input' ? op : undefined);

/** A thread that was just resumed has them already. A remote machine is checked again before each turn of an open thread. */
const lastingOf = (op: ThreadOp, entry: ThreadEntry<Thread>, known: Thread): TurnSettings | undefined => {
  const input = inputOf(op);
  if (entry.thread !== known) return entry.id === undefined ? input?.lasting : undefined;
  return input && (input.lasting ?? (known.workspace.environment && {}));
};

const runOperation =
  (deps: TurnDeps & NotifyDeps & RecordPromptDeps) =>
  (turn: BegunTurn, ports: TurnPorts): Observable<Event> => {
    const { op } = turn;
    switch (op.kind) {
      case 'turn':
      case 'input':
        return keepUnfinished(ports.keep, (keep) => runTurn(deps)({ ...turn, op }, { ...ports, keep })).pipe(
          recordPrompt(deps, { ...turn, op }),
          notifyTurn(deps, { ...turn, op }),
        );
      case 'compact':
        return compactThread(deps)(turn, ports);
      default:
        return concat(
          configured(deps, turn),
          defer(() => turn.thread.record.rest()),
        );
    }
  };

/** The thread under other settings; the operator's limits apply to these too. Approvals were meant for one machine only. */
const changed = (deps: NativeDeps, thread: Thread, own: TurnSettings | undefined): Awaitable<Thread> =>
  own === undefined
    ? thread
    : mapReady(
        configuredBy(deps, withTurnSettings(thread.settings, own), thread.workspace.environment),
        (configured) => ({
          ...thread,
          ...configured,
          ...(!isSameMachine(thread.workspace, configured.workspace) && { approvals: sessionApprovals() }),
        }),
      );

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

/** @param keepPrompt emits nothing, completes when the prompt is stored or given up, and never errors */
type RecordPromptDeps = { keepPrompt: (prompt: Prompt) => Observable<never> };

/**
 * Stores the text of a turn's input when the turn begins. Emits the events unchanged.
 *   in      s-m-z|
 *   keep    --|
 *   out     s-m-z|
 */
export const recordPrompt = (
  { keepPrompt }: RecordPromptDeps,
  { thread: { id, config }, op }: InputTurn,
): MonoTypeOperatorFunction<Event> => {
  const { persistence, maxBytes } = config.history;
  const text = textOf(op.input);
  if (persistence === 'none' || text === '') return (event$) => event$;
  return (event$) => merge(keepPrompt({ threadId: id, text, ...(maxBytes !== undefined && { maxBytes }) }), event$);
};

/**
 * Runs a turn that summarizes. Emits its events; the last is `task_complete` or `turn_aborted`. A summary that fails is an `error`, and
 * leaves the conversation as it is. So does a conversation without a message. Never errors.
 *   model  -m-(Uz|)          (m the summary, z completed)
 *   out    s--(UCc|)         (s task_started, U token_count, C context_compacted, c task_complete)
 */
const compactThread =
  (deps: TurnDeps) =>
  (turn: BegunTurn, { stop$, keep }: TurnPorts): Observable<Event> =>
    summary(deps, turn, keep).pipe(
      eventsOf(() => [...configured(deps, turn), startedEvent(turn)]),
      untilStopped(stop$, (stop) => endOf(turn, stop)),
    );

const summary = (deps: TurnDeps, turn: BegunTurn, keep: TurnPorts['keep']): Observable<TurnStep> =>
  defer(() => {
    const history = closeAnswer(turn.thread.history);
    const { past } = history;
    if (past.length === 0) return of(...endOf(turn, { kind: 'finished', message: null }));
    const maxTokens = budgetOf(turn.thread.config).limitTokens;
    return compact(deps)(turn, { past, maxTokens }).pipe(
      concatMap((step) => {
        if (step.kind !== 'compacted') return of(step);
        keep({ ...history, past: step.past });
        return of(compactedEvent(turn), ...endOf(turn, { kind: 'finished', message: null }));
      }),
    );
  }).pipe(catchError((error: Error) => of(...failedByBug(deps.log, turn, error))));
