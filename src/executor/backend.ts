/** The port of an executor of processes. */
import { EMPTY, ignoreElements, type Observable, timer } from 'rxjs';
import type { Child } from '../io/processes/child';
import type { OutputPage, ProcessEvent, ProcessSpec, ReadRequest } from '../protocol/exec/process';
import type { JsonObject } from '../protocol/jsonrpc/json';

/** A process that was started. Each member acts when it is subscribed, emits once and completes. */
export type Process = Child & {
  /** Emits what the executor retains, and waits up to its `waitMs` for more. Errors if the executor cannot be reached. */
  read: (from: ReadRequest) => Observable<OutputPage>;
  /** Reports that the reader of a process with `holdOutput` has all events up to a seq. A read reports the same for its `afterSeq`. */
  acknowledge: (seq: number) => Observable<void>;
};

/** The sandbox that a process runs in. Source: codex exec-server 0.169.0 names the types. */
export type InSandbox = { type: 'linuxSeccomp' | 'macosSeatbelt'; network: 'open' | 'closed' };

/** The limit that an executor imposes on a process that asked for no sandbox. */
export type ImposedLimit = {
  /** What the process may do and who decided it, for people. */
  text: string;
  network: 'open' | 'closed';
};

/** The first element of a process's life. */
export type Started = {
  kind: 'started';
  process: Process;
  /** The sandbox that it runs in on this machine. */
  sandbox?: InSandbox;
  /** The limit that a remote executor imposes. */
  keptBy?: ImposedLimit;
};

/**
 * Runs processes somewhere. `start` emits `started`, then the process's events in order of `seq`, and completes after
 * `closed` (and its `keepMs`) or `failed`; it never errors. Unsubscribing ends the process and all it started.
 *   start  s-o--o-x-oz|     (s started, o output, x exited, z closed)
 */
export type Backend = { start: (spec: ProcessSpec) => Observable<Started | ProcessEvent> };

/** A remote backend that does more than run processes. */
export type Executor = Backend & {
  /**
   * Calls one of its methods and emits the result once. Errors with RpcError if the executor refuses, otherwise with TransportError or the loss of the
   * session. `onLoss`: `fail` for what must not be done twice.
   */
  request: (method: string, params: JsonObject, onLoss: 'repeat' | 'fail') => Observable<unknown>;
};

/** An event that an executor stores; a reader adds the other kinds if events are missing. */
export type StoredEvent = Extract<ProcessEvent, { kind: 'output' | 'exited' | 'closed' }>;

/** The exit of a process: its place among the events, and its code. */
export type Exit = { seq: number; exitCode: number };

/** An event, how many bytes of output came before it, and the exit, if that came before. */
export type PlacedEvent = { event: StoredEvent; bytesBefore: number; exit?: Exit };

/** Consecutive events of one process, as they are stored together. */
export type StoredItem = { processId: string; placed: readonly PlacedEvent[] };

/** An executor that threads work on. */
export type Reached = {
  executor: Executor;
  /** Its name, if it is a member of a pool. */
  member?: string;
};

/** The executors of all environments. Each is connected once, when it is first needed. Both members throw ConfigError. */
export type Executors = {
  /** Runs processes; in a pool each process gets a member. */
  backendOf: (environmentId: string) => Backend;
  /** Emits once the executor that a thread works on: in a pool the member of this name, otherwise the least loaded member. Errors if none answers. */
  reach: (environmentId: string, member: string | undefined) => Observable<Reached>;
};

/** Completes when a process that has ended need not be kept any longer. Emits nothing. */
export const keptBy = ({ keepMs }: ProcessSpec): Observable<never> =>
  keepMs === undefined ? EMPTY : timer(keepMs).pipe(ignoreElements());
