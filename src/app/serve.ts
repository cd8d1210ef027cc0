/** Wires the daemon: from the process's streams to the server and back, and when it is over. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import {
  catchError,
  concat,
  connect,
  EMPTY,
  endWith,
  ignoreElements,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  type OperatorFunction,
  ReplaySubject,
  type Subject,
  share,
  switchMap,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { EngineOptions } from '../agent/engineOptions';
import type { Wiring } from '../agent/wiring/wiring';
import { afterSettling } from '../executor/localPatch/settleFirst';
import type { OwnedLog } from '../io/log/createLog';
import { endProcesses } from '../io/processes/groupLife';
import { spawnHere } from '../io/processes/spawnHere';
import { countGroups, PROCESS_MARK, watchGroups } from '../io/processes/watchGroups';
import type { ProcessInfo } from '../io/serverProcess/serverProcess';
import { fromInput } from '../io/stdio/fromInput';
import { backpressureOf, writeLines } from '../io/stdio/writeLines';
import { observableLog } from '../protocol/log';
import type { CodexHost } from '../protocol/methods/host';
import { type FaceName, faceOf, type ToolSet } from '../server/faces/faceOf';
import { mcpServer } from '../server/mcp/mcpServer';
import type { ThreadIdInText } from '../server/mcp/toCallResult';
import type { Events } from '../server/mcp/toMessages';
import { decodeUtf8, withoutByteOrderMark } from '../streams/bytes/decodeUtf8';
import { splitLines } from '../streams/bytes/splitLines';
import { counter } from '../streams/counter';
import { lazy } from '../streams/lazy';
import { inputFirst } from '../streams/time/limits';
import { after, onceIdle } from '../streams/time/wait';
import { recordChance } from '../tapes/format/seams';
import { SIGNAL_NOTE, type Tape } from '../tapes/format/tape';
import type { PlayedSeams } from '../tapes/seams/ports';
import { type Background, backgroundTasks } from './backgroundTasks';
import { loadEngine } from './engines/loadEngine';
import type { TaskPorts } from './openTasks';
import { withExecutors } from './withExecutors';

/** What a client sees of the daemon, and the options of its engine. */
export type ServeOptions = EngineOptions & {
  /** What its client speaks. Default: MCP. */
  protocol?: 'acp';
  face: FaceName;
  events: Events;
  threadIdInText: ThreadIdInText;
  /** How long a question waits for its answer. */
  askTimeoutMs: number;
  /** How long a call has for an answer without a task; absent if no call becomes a task. */
  taskAfterMs?: number;
  /** How long open tasks go on when the input has ended. Default: 0. */
  tasksOutliveMs?: number;
  /** How long the request of a call without a task waits; absent if until the call is done. */
  answerWithinMs?: number;
  /** Whether the tools about threads are offered too. */
  tools: ToolSet;
  /** The folder of the tapes that clients may read, absolute; absent if none. */
  offerTapes?: string;
};

/** The process as the daemon sees it. */
export type ServeDeps = {
  stdin: Readable;
  stdout: Writable;
  /** Emits the signal that asks it to end. */
  stop$: Observable<string>;
  /** Emits when the client has left, which counts as the end of its input. Default: never. */
  left$?: Observable<unknown>;
  log: OwnedLog;
  processInfo: ProcessInfo;
  /** Records the session. */
  tape?: Tape;
  /** Replace the seams of this machine. */
  seams?: PlayedSeams;
  /** Replaces the disk of this machine. */
  disk?: Wiring['disk'];
  /** Makes the engine and the Codex methods, at their first use. */
  beforeCalls?: <T>(make: () => T) => T;
};

/** Sources wait while more than this waits for the client to read it. */
const MAX_SOURCE_QUEUE_BYTES = 262_144;
/** Input waits only beyond this, so that a cancel still gets through to a client that reads slowly. */
const MAX_INPUT_QUEUE_BYTES = 8_388_608;
/** How long the last answers may take to leave, after the end of input and after a signal. */
const FLUSH = { afterInputMs: 10_000, afterSignalMs: 1_000 };
/** The engine is loaded in the first pause of the input, as clients open with `initialize` and call a tool later. */
const READY_MS = 20;
/** How long processes may take to end, before they are killed. Longer than their grace. */
const LEAVE_MS = 2_500;

/** The whole daemon. Completes after the end of input or a signal, once the answers have left and all that runs has ended. Emits nothing. */
export const serve = (deps: ServeDeps, options: ServeOptions): Observable<never> => {
  const { stdin, stdout, tape, processInfo, log } = deps;
  const note = (signal: string): void => tape?.({ dir: 'note', line: SIGNAL_NOTE + signal });
  const stop$ = deps.stop$.pipe(tap(note), share()); // one subscription to the signals of the process for all that end with it
  const over$ = new ReplaySubject<void>(1); // the wire from the end of the service to connections that are kept idle
  const { background, tasks$ } = backgroundTasks(over$, LEAVE_MS);
  const { server, warm$, none$ } = wire({ ...deps, stop$, background }, options, over$);
  const gone$ = new ReplaySubject<void>(1); // the wire from a client that reads no more to the input
  const serving$ = fromInput(stdin, { output: stdout, maxBytes: MAX_INPUT_QUEUE_BYTES }).pipe(
    takeUntil(merge(gone$, deps.left$ ?? NEVER)),
    connect((byte$) =>
      merge(
        byte$.pipe(
          decodeUtf8(),
          withoutByteOrderMark(),
          splitLines(),
          tape === undefined ? server : seamsRecorder().recordWire(tape)(server),
          writeUntilGone(stdout, options, gone$),
          takeUntil(flushedTooLong(byte$, stop$, options)),
        ),
        byte$.pipe(onceIdle(READY_MS), madeReady(warm$, log), takeUntil(merge(stop$, endOf(byte$)))),
      ),
    ),
  );
  const isPlayed = deps.seams !== undefined || deps.disk !== undefined; // a session in memory leaves the disk alone
  const served$ = isPlayed ? serving$ : afterSettling({ ...processInfo, log }, stop$)(serving$);
  return merge(tasks$, concat(served$, endProcesses({ over$, none$, waitMs: LEAVE_MS })));
};

/** An engine that cannot be made ready is reported by the call that needs it. */
const madeReady = (warm$: Observable<never>, log: OwnedLog): OperatorFunction<unknown, never> =>
  switchMap(() =>
    warm$.pipe(
      catchError((error: Error) => {
        log('warning', 'the engine could not be made ready', { reason: error.message });
        return EMPTY;
      }),
    ),
  );

/** The server, and its engine, which is loaded by the first call; `none$` emits once none of its processes is left. */
const wire = (deps: ServeDeps & Background, options: ServeOptions, over$: Observable<void>) => {
  const { stop$, processInfo } = deps;
  const { log, record$ } = observableLog(deps.log);
  const backpressure = backpressureOf(deps.stdout, MAX_SOURCE_QUEUE_BYTES);
  const { watch, none$ } = countGroups(watchGroups({ spawn: spawnHere, mark: processInfo.env[PROCESS_MARK] }));
  const sources = idsAndClocks(deps);
  const wiring = withExecutors({ ...deps, options, log, backpressure, watch, over$, newId: sources.newId });
  const first = deps.beforeCalls ?? (<T>(make: () => T): T => make());
  const { engine, warm$ } = loadEngine({ wiring, first, besides: options.protocol && codexModule });
  const calls = {
    ...options,
    engine,
    log,
    stop$: stop$.pipe(map((signal) => `The turn was stopped: the server received ${signal}.`)),
    codexHost: lazy(() => first(() => codexModule().codexHost(wiring, options.offerTapes))),
    ...sources,
    newQuestionId: counter(0),
  };
  const toMcp = () =>
    mcpServer({
      ...calls,
      record$,
      cleanRecord: deps.log.clean,
      face: faceOf(options.face, processInfo.version, processInfo),
      ...offered(options),
      ...unionParts(wiring, options, { ...calls, diskMs: Date.now }),
    });
  const toAcp = () => acpModule().acpServer({ ...calls, backpressure, version: processInfo.version });
  return { server: options.protocol === 'acp' ? toAcp() : toMcp(), none$, warm$ };
};

/** A face of an old release has its own tools only, and its calls are answered when they are done. */
const offered = ({ face, answerWithinMs, tools }: ServeOptions) => {
  const waits = face === 'union' && answerWithinMs !== undefined;
  const instructions = waits ? `${INSTRUCTIONS} ${WAIT_INSTRUCTION}` : INSTRUCTIONS;
  if (face !== 'union') return { answerWithinMs: undefined, instructions };
  return { answerWithinMs, instructions, offer: { waits, threads: tools === 'extended' } };
};

/** A face of an old release has neither prompts and resources nor tasks. */
const unionParts = (wiring: Wiring, options: ServeOptions, ports: TaskPorts & { codexHost: () => CodexHost }) => {
  const { taskAfterMs: afterMs, tasksOutliveMs: outliveMs } = options;
  if (options.face !== 'union') return {};
  const library = lazy(() => libraryModule().openLibrary(wiring, ports.codexHost, options.offerTapes));
  const store = lazy(() => tasksModule().openTasks(wiring, ports));
  return { library, ...(afterMs !== undefined && { tasks: { afterMs, outliveMs, store } }) };
};

/** Writes the lines until nobody reads them, which ends the server, or, if tasks may outlive the client, its input. */
const writeUntilGone = (
  stdout: Writable,
  { tasksOutliveMs = 0 }: ServeOptions,
  gone$: Subject<void>,
): OperatorFunction<string, never> =>
  tasksOutliveMs === 0
    ? writeLines(stdout)
    : connect((line$) =>
        merge(line$.pipe(ignoreElements()), line$.pipe(writeLines(stdout), tap({ complete: () => gone$.next() }))),
      );

const endOf = (byte$: Observable<unknown>): Observable<unknown> => byte$.pipe(ignoreElements(), endWith('over'));

/** Emits when the last answers have had their time to leave. */
const flushedTooLong = (
  byte$: Observable<unknown>,
  stop$: Observable<unknown>,
  { tasksOutliveMs = 0 }: ServeOptions,
): Observable<unknown> =>
  merge(
    endOf(byte$).pipe(map(() => FLUSH.afterInputMs + tasksOutliveMs)),
    stop$.pipe(map(() => FLUSH.afterSignalMs)),
  ).pipe(mergeMap((ms) => timer(ms, inputFirst)));

const acpModule = lazy(() => require('../server/acp/acpServer') as typeof import('../server/acp/acpServer'));
const tasksModule = lazy(() => require('./openTasks') as typeof import('./openTasks'));
const libraryModule = lazy(() => require('./openLibrary') as typeof import('./openLibrary'));
const codexModule = lazy(() => require('./codexHost') as typeof import('./codexHost'));
const seamsRecorder = lazy(() => require('../tapes/seams/record') as typeof import('../tapes/seams/record'));

/** What the server is for. */
const INSTRUCTIONS =
  'Call codex to give a task to a coding agent that works in a folder of this machine; it asks before it runs what the approval policy does not allow. Continue the same thread with codex-reply and the threadId of the result.';

/** What a model must know if calls may be answered before they are done. */
const WAIT_INSTRUCTION = 'If a result has `status: "working"`, call codex-wait with its threadId until it has not.';

/** What differs in each run: ids, a key for what the server signs, times, timers. Recorded if there is a tape; a rerun brings its own. */
export const idsAndClocks = ({ seams, tape }: { seams?: PlayedSeams; tape?: Tape }) => {
  const chance = seams?.chance ?? recordChance(tape);
  const key = chance('key', () => randomBytes(32).toString('hex'));
  return {
    newId: chance('id', () => randomUUID()),
    newCallId: chance('callId', () => randomUUID()),
    key: lazy(() => Buffer.from(key(), 'hex')),
    now: chance('time', Date.now),
    clockMs: chance('callClock', () => performance.now()),
    workMs: chance('workClock', () => performance.now()),
    after: seams?.after ?? (tape === undefined ? after : seamsRecorder().recordTimers(tape)),
  };
};
