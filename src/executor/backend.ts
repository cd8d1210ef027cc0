/** The port to whatever runs processes. */
import type { Observable } from 'rxjs';
import type {
  OutputPage,
  ProcessEvent,
  ProcessSignal,
  ProcessSpec,
  ReadRequest,
  WriteStatus,
} from '../protocol/exec/process';
import type { JsonObject } from '../protocol/jsonrpc/json';

/**
 * A process that was started; each member acts when it is subscribed, emits once and completes.
 * `read` emits what the executor retains, and waits up to its `waitMs` for more; it errors when the executor cannot be reached.
 * `acknowledge` reports what the reader of a process with `holdOutput` has taken: all up to a seq; a read does so up to its `afterSeq`.
 * `write` waits until the process, or the pipe to it, has taken the bytes. `terminate` ends the process and all it started,
 * within the grace period of its spec, and emits whether it was still running.
 */
export type Process = {
  read: (from: ReadRequest) => Observable<OutputPage>;
  acknowledge: (seq: number) => Observable<void>;
  write: (chunk: Uint8Array) => Observable<WriteStatus>;
  closeStdin: () => Observable<WriteStatus>;
  signal: (signal: ProcessSignal) => Observable<void>;
  terminate: () => Observable<boolean>;
};

/** The sandbox that a process runs in. Source: the names of the kinds are those of codex exec-server 0.169.0. */
export type InSandbox = { type: 'linuxSeccomp' | 'macosSeatbelt'; network: 'open' | 'closed' };

/** The limit that an executor imposes on a process that asked for no sandbox. `text`: what the process may do and who decided it, for people. */
export type ImposedLimit = { text: string; network: 'open' | 'closed' };

/** The first element of a process's life. `sandbox`: the one it runs in on this machine. `keptBy`: the limit that a remote executor imposes. */
export type Started = { kind: 'started'; process: Process; sandbox?: InSandbox; keptBy?: ImposedLimit };

/**
 * Runs processes somewhere. `start` emits `started`, then the process's events in order of `seq`, and completes after
 * `closed` (and its `keepMs`) or `failed`; it never errors. Unsubscribing ends the process and all it started.
 *   start  s-o--o-x-oz|     (s started, o output, x exited, z closed)
 */
export type Backend = { start: (spec: ProcessSpec) => Observable<Started | ProcessEvent> };

/**
 * A remote backend that does more than run processes. `request` calls one of its methods and emits the result once. It errors with RpcError when the
 * executor refuses, otherwise with TransportError or the loss of the session. `onLoss`: `fail` for what must not be done twice.
 */
export type Executor = Backend & {
  request: (method: string, params: JsonObject, onLoss: 'repeat' | 'fail') => Observable<unknown>;
};
