/** The port to a child process: what can be done with it, and its events. */

import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { Observable } from 'rxjs';
import type { OutputStream, ProcessSignal, WriteStatus } from '../../protocol/exec/process';
import type { Backpressure } from '../../streams/backpressure';

/**
 * What can be done with a running child; each acts when it is subscribed.
 * `write` emits its status when the operating system has taken the bytes, so a writer waits for a child that does not read.
 * `terminate` emits at once whether the child still ran; it ends with the `grace` of its spec.
 */
export type Child = {
  write: (chunk: Uint8Array) => Observable<WriteStatus>;
  closeStdin: () => Observable<WriteStatus>;
  signal: (signal: ProcessSignal) => Observable<void>;
  terminate: () => Observable<boolean>;
};

/** The events of a child, in the order they are noticed; the executor numbers them. `signal` is the one that ended it, where one did. */
export type ChildEvent =
  | { kind: 'started'; child: Child }
  | { kind: 'output'; stream: OutputStream; chunk: Uint8Array }
  | { kind: 'exited'; exitCode: number; signal?: NodeJS.Signals }
  | { kind: 'closed' }
  | { kind: 'failed'; reason: string };

/**
 * @param watch registers every group, for the case that this process is killed and cannot end them itself
 * @param signal$ sent to the child itself
 */
export type ChildDeps = {
  spawn: Spawn;
  backpressure: Backpressure;
  signals: Record<string, number>;
  watch: WatchGroup;
  signal$?: Observable<NodeJS.Signals>;
};

/** Starts a process, as `spawn` of node:child_process does. */
export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** A variable of a child's environment. All that the child starts inherits it, also what leaves its process group. */
type ProcessMark = { name: string; value: string };

/**
 * `next` gives the mark of one more child; the watcher runs by then, so it knows a child before that runs.
 * `kill` kills every process with a mark, given by its value.
 */
export type ProcessMarks = { next: () => ProcessMark; kill: (value: string) => void };

/**
 * Registers a process group, or one `process` in the group of another, or the group of a `server`, which ends by itself when its
 * input does and may have processes of its own to end. The function that it returns removes it again.
 * `marks` are there where the system lets the environments of processes be read.
 */
export type WatchGroup = {
  (id: number, what?: 'group' | 'process' | 'server'): () => void;
  marks?: ProcessMarks;
};
