/** Owns the edge to a child process: its own process group, no shell, nothing left behind. */
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { Writable } from 'node:stream';
import { defer, Observable, of, type Subscription } from 'rxjs';
import type { OutputStream, ProcessSignal, ProcessSpec, WriteStatus } from '../protocol';
import type { Pressure } from '../streams';
import { failureReason } from './failureReason';
import { fromReadable } from './fromReadable';
import { endGroup, signalGroup } from './processGroup';
import type { WatchGroup } from './watchGroups';
import { writeLines } from './writeLines';

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

export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
/** @param watch told of every group, for when we are killed and can end nothing ourselves */
export type ChildDeps = { spawn: Spawn; pressure: Pressure; signals: Record<string, number>; watch: WatchGroup };

/**
 * Starts a program. Emits `started` with what can be done with it, its output as it comes, `exited` with its code
 * (128 + n after signal n), `closed` when both outputs have ended; `failed` alone when it could not be started.
 * Completes after the last of these. Output waits while the reader is slow, and the child with it.
 * Unsubscribing ends the whole process group, with the grace its spec allows; what it still says is read and dropped.
 * @param line$ goes to the child's input, which ends with it
 */
export const fromChild = (deps: ChildDeps, spec: ProcessSpec, line$?: Observable<string>): Observable<ChildEvent> =>
  new Observable<ChildEvent>((subscriber) => {
    const fail = (reason: string) => {
      subscriber.next({ kind: 'failed', reason });
      subscriber.complete();
    };
    const { cwd } = spec;
    const opened = open(deps, spec, line$ || spec.stdin ? 'pipe' : 'ignore');
    if (typeof opened === 'string') return fail(opened);
    const child = opened;
    child.on('error', (error: NodeJS.ErrnoException) => child.pid === undefined && fail(failureReason(error, cwd)));
    if (child.pid === undefined) return;
    const life = lifeOf(child, child.pid, spec, deps.watch);
    const reading = readOutput(child, deps.pressure, (stream, chunk) =>
      subscriber.next({ kind: 'output', stream, chunk }),
    );
    const writing =
      child.stdin &&
      line$?.pipe(writeLines(child.stdin)).subscribe({
        error: (error) => subscriber.error(error),
        complete: () => child.stdin?.end(),
      });
    child.on('exit', (code, signal) => {
      subscriber.next({ kind: 'exited', exitCode: code ?? 128 + (deps.signals[signal as string] ?? 0) });
    });
    child.on('close', () => {
      subscriber.next({ kind: 'closed' });
      subscriber.complete();
    });
    subscriber.next({ kind: 'started', child: life.child });
    return () => {
      writing?.unsubscribe();
      for (const each of reading) each?.unsubscribe();
      life.leave();
    };
  });

/** The child, or why there is none. */
const open = ({ spawn }: ChildDeps, spec: ProcessSpec, stdin: 'pipe' | 'ignore'): ChildProcess | string => {
  const { argv, cwd, env, arg0 } = spec;
  const [program, ...args] = argv;
  if (program === undefined) return 'command args are empty';
  const own = arg0 === undefined ? {} : { argv0: arg0 };
  try {
    return spawn(program, args, { cwd, env, ...own, detached: true, stdio: [stdin, 'pipe', 'pipe'] });
  } catch (error) {
    return failureReason(error as NodeJS.ErrnoException, cwd);
  }
};

const readOutput = (
  child: ChildProcess,
  pressure: Pressure,
  tell: (stream: OutputStream, chunk: Uint8Array) => void,
): (Subscription | undefined)[] =>
  (['stdout', 'stderr'] as const).map((stream) => {
    const readable = child[stream];
    return (
      readable?.on('error', () => {}) &&
      fromReadable<Uint8Array>(readable, pressure).subscribe((chunk) => tell(stream, chunk))
    );
  });

/** What can be done with a child until it has closed, and how it is left. */
const lifeOf = (spawned: ChildProcess, group: number, { grace }: ProcessSpec, watch: WatchGroup) => {
  const { stdin, stdout, stderr } = spawned;
  const forget = watch(group);
  let running = true;
  let over = false;
  let stopWaiting: (() => void) | undefined;
  stdin?.on('error', () => {});
  const end = () => {
    stopWaiting ??= endGroup(group, () => stdin?.end(), grace);
  };
  const finish = () => {
    if (over) return;
    over = true;
    stopWaiting?.();
    for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    signalGroup(group, 'SIGKILL');
    forget();
  };
  spawned.on('exit', () => {
    running = false;
  });
  const child: Child = {
    write: (chunk) => writeBytes(stdin, chunk),
    closeStdin: () => defer(() => of(closeInput(stdin))),
    signal: () => defer(() => of(over ? undefined : signalGroup(group, 'SIGINT'))),
    terminate: () =>
      defer(() => {
        if (!over) end();
        return of(running);
      }),
  };
  const leave = () => {
    if (!running || grace === undefined) return finish();
    spawned.on('close', finish);
    for (const stream of [stdout, stderr]) stream?.resume();
    end();
  };
  return { child, leave };
};

const closeInput = (stdin: Writable | null): WriteStatus => {
  if (!stdin?.writable) return 'stdinClosed';
  stdin.end();
  return 'accepted';
};

/** Errors of a closed input are its status; the bytes behind it are told the same. */
const writeBytes = (stdin: Writable | null, chunk: Uint8Array): Observable<WriteStatus> =>
  new Observable((subscriber) => {
    const tell = (status: WriteStatus) => {
      subscriber.next(status);
      subscriber.complete();
    };
    if (!stdin?.writable) return tell('stdinClosed');
    stdin.write(chunk, (error) => tell(error ? 'stdinClosed' : 'accepted'));
  });
