/** The port to a child process: what can be done with it, and its events. */
import type { Observable } from 'rxjs';
import type { OutputStream, ProcessSignal, WriteStatus } from '../../protocol/exec/process';
import type { Backpressure } from '../../streams/backpressure';
import type { Spawn } from './spawn';
import type { WatchGroup } from './watchGroup';

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
