/** The port to a child process: what can be done with it, and its events. */
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { Observable } from 'rxjs';
import type { OutputStream, ProcessSignal, WriteStatus } from '../../protocol/exec/process';
import type { Backpressure } from '../../streams/backpressure';

/** What can be done with a running child; each member acts when it is subscribed. */
export type Child = {
  /** Emits its status when the operating system has taken the bytes, so a writer waits for a child that does not read. */
  write: (chunk: Uint8Array) => Observable<WriteStatus>;
  closeStdin: () => Observable<WriteStatus>;
  signal: (signal: ProcessSignal) => Observable<void>;
  /** Emits at once whether the child still ran; it ends with the `grace` of its spec. */
  terminate: () => Observable<boolean>;
};

/** The events of a child, in the order they are noticed; the executor numbers them. `signal` is set if a signal ended it. */
export type ChildEvent =
  | { kind: 'started'; child: Child }
  | { kind: 'output'; stream: OutputStream; chunk: Uint8Array }
  | { kind: 'exited'; exitCode: number; signal?: NodeJS.Signals }
  | { kind: 'closed' }
  | { kind: 'failed'; reason: string };

/** What starting a child needs. */
export type ChildDeps = {
  spawn: Spawn;
  backpressure: Backpressure;
  signals: Record<string, number>;
  /** Registers every group, for the case that this process is killed and cannot end them itself. */
  watch: WatchGroup;
  /** Sent to the child itself. */
  signal$?: Observable<NodeJS.Signals>;
};

/** Starts a process, as `spawn` of node:child_process does. */
export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** A variable of a child's environment. All that the child starts inherits it, also what leaves its process group. */
type ProcessMark = { name: string; value: string };

/** The marks of children. */
export type ProcessMarks = {
  /** The mark of one more child. The watcher runs by then, so it knows a child before that runs. */
  next: () => ProcessMark;
  /** Kills every process with a mark, given by its value. */
  kill: (value: string) => void;
};

/**
 * Registers a process group, or one `process` in the group of another, or the group of a `server`, which ends by itself when its input ends and may
 * have processes of its own to end. Returns the function that removes it again.
 */
export type WatchGroup = {
  (id: number, what?: 'group' | 'process' | 'server'): () => void;
  /** Undefined if the system does not let the environments of processes be read. */
  marks?: ProcessMarks;
};
