/** Owns the edge to a child process: its own process group, no shell, nothing left behind. */
import type { ChildProcess } from 'node:child_process';
import { defer, Observable, of, type Subscription } from 'rxjs';
import type { OutputStream, ProcessSpec } from '../protocol/exec';
import type { Backpressure } from '../streams';
import type { Child, ChildDeps, ChildEvent } from './child';
import { closeInput, writeInput } from './childInput';
import { failureReason } from './failureReason';
import { fromReadable } from './fromReadable';
import { type GroupLife, groupLife } from './groupLife';
import { writeLines } from './writeLines';

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
    const opened = open(deps, spec, line$ || spec.stdin ? 'pipe' : 'ignore');
    if (typeof opened === 'string') return fail(opened);
    const child = opened;
    child.on('error', (error) => child.pid === undefined && fail(failureReason(error, spec.cwd)));
    if (child.pid === undefined) return;
    const life = lifeOf(child, child.pid, deps, spec);
    const reading = readOutput(child, deps.backpressure, (stream, chunk) =>
      subscriber.next({ kind: 'output', stream, chunk }),
    );
    const writing =
      child.stdin &&
      line$?.pipe(writeLines(child.stdin)).subscribe({
        error: (error) => subscriber.error(error),
        complete: () => child.stdin?.end(),
      });
    child.on('exit', (code, signal) => {
      life.exited();
      subscriber.next({ kind: 'exited', exitCode: code ?? 128 + (deps.signals[signal as string] ?? 0) });
    });
    child.on('close', () => {
      life.closed();
      subscriber.next({ kind: 'closed' });
      subscriber.complete();
    });
    subscriber.next({ kind: 'started', child: controlsOf(child, life) });
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

const lifeOf = (child: ChildProcess, group: number, { watch }: ChildDeps, { grace }: ProcessSpec): GroupLife => {
  const { stdin, stdout, stderr } = child;
  stdin?.on('error', () => {}); // each write is told
  return groupLife({
    group,
    grace,
    watch,
    closeInput: () => stdin?.end(),
    drain: () => {
      for (const stream of [stdout, stderr]) stream?.resume();
    },
    letGo: () => {
      for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    },
  });
};

const controlsOf = ({ stdin }: ChildProcess, { interrupt, terminate }: GroupLife): Child => ({
  write: (chunk) => writeInput(stdin, chunk),
  closeStdin: () => defer(() => of(closeInput(stdin))),
  signal: interrupt,
  terminate,
});

const readOutput = (
  child: ChildProcess,
  backpressure: Backpressure,
  tell: (stream: OutputStream, chunk: Uint8Array) => void,
): (Subscription | undefined)[] =>
  (['stdout', 'stderr'] as const).map((stream) => {
    const readable = child[stream];
    return (
      readable?.on('error', () => {}) &&
      fromReadable<Uint8Array>(readable, backpressure).subscribe((chunk) => tell(stream, chunk))
    );
  });
