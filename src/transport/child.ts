/** Owns what a child process is to those above: what can be done with it, and what it does. */
import type { Observable } from 'rxjs';
import type { OutputStream, ProcessSignal, WriteStatus } from '../protocol/exec';
import type { Backpressure } from '../streams';
import type { Spawn } from './spawn';
import type { WatchGroup } from './watchGroups';

/**
 * What can be done with a running child; each acts when it is subscribed.
 * `write` tells its status when the operating system has taken the bytes, so a writer waits for a child that does not read.
 * `terminate` emits at once whether the child still ran; how it ends is its spec's `grace`.
 */
export type Child = {
  write: (chunk: Uint8Array) => Observable<WriteStatus>;
  closeStdin: () => Observable<WriteStatus>;
  signal: (signal: ProcessSignal) => Observable<void>;
  terminate: () => Observable<boolean>;
};

/** What a child does, in the order it is noticed; numbering is the executor's. */
export type ChildEvent =
  | { kind: 'started'; child: Child }
  | { kind: 'output'; stream: OutputStream; chunk: Uint8Array }
  | { kind: 'exited'; exitCode: number }
  | { kind: 'closed' }
  | { kind: 'failed'; reason: string };

/** @param watch told of every group, for when we are killed and can end nothing ourselves */
export type ChildDeps = {
  spawn: Spawn;
  backpressure: Backpressure;
  signals: Record<string, number>;
  watch: WatchGroup;
};
