/** A child process as an Observable: its own process group, no shell, nothing left behind. */
import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { concat, defer, EMPTY, filter, map, merge, Observable, type OperatorFunction, of, type Subscriber } from 'rxjs';
import type { ProcessSpec, WriteStatus } from '../../protocol/exec/process';
import type { Backpressure } from '../../streams/backpressure';
import { fromReadable } from '../stdio/fromInput';
import { writeLines } from '../stdio/writeLines';
import type { Child, ChildDeps, ChildEvent } from './child';
import { type GroupLife, groupLife } from './groupLife';
import { markedEnvironment } from './markedEnvironment';
import { failureReason, startFault } from './startFault';

/**
 * Starts a program. Emits `started` with what can be done with it, its output as it comes, `exited` with its code
 * (128 + n after signal n, and the signal), `closed` when both outputs have ended; `failed` alone when it could not be started.
 * Completes after the last of these. While the queue ahead is full output waits, and the child with it.
 * Unsubscribing ends the whole process group, with the grace its spec allows; further output is read and dropped.
 * @param line$ written to the child's input, which ends with it
 */
export const fromChild = (
  deps: ChildDeps,
  spec: ProcessSpec,
  line$?: Observable<string | Uint8Array>,
): Observable<ChildEvent> =>
  new Observable<ChildEvent>((subscriber) => {
    const opened = open(deps, spec, line$ || spec.stdin ? 'pipe' : 'ignore');
    if ('reason' in opened) return fail(subscriber, opened.reason);
    const { child, mark } = opened;
    child.on('error', (error) => child.pid === undefined && fail(subscriber, reasonOf(error, spec)));
    if (child.pid === undefined) return;
    const life = lifeOf({ ...deps, child, group: child.pid, mark }, spec);
    subscriber.add(readOutput(child, deps.backpressure).subscribe((event) => subscriber.next(event)));
    subscriber.add(writeInputLines(child, line$).subscribe({ error: (error) => subscriber.error(error) }));
    child.on('exit', (code, signal) => {
      life.exited();
      const exitCode = code ?? 128 + (deps.signals[signal as string] ?? 0);
      subscriber.next({ kind: 'exited', exitCode, ...(signal !== null && { signal }) });
    });
    child.on('close', () => {
      life.closed();
      subscriber.next({ kind: 'closed' });
      subscriber.complete();
    });
    subscriber.add(deps.signal$?.subscribe((signal) => signal in deps.signals && child.kill(signal)));
    subscriber.next({ kind: 'started', child: controlsOf(child, life) });
    return () => life.leave();
  });

const fail = (subscriber: Subscriber<ChildEvent>, reason: string): void => {
  subscriber.next({ kind: 'failed', reason });
  subscriber.complete();
};

/** On Windows a detached child has no console to share with its children, and would not end with this process. */
const HAS_GROUPS = process.platform !== 'win32';

type Opened = { child: ChildProcess; mark?: string } | { reason: string };

/** The child, or why there is none. */
const open = ({ spawn, watch }: ChildDeps, spec: ProcessSpec, stdin: 'pipe' | 'ignore'): Opened => {
  const { argv, cwd, arg0 } = spec;
  const [program, ...args] = argv;
  if (program === undefined) return { reason: 'command args are empty' };
  const own = arg0 === undefined ? {} : { argv0: arg0 };
  const { env, mark } = markedEnvironment(watch, spec);
  try {
    return {
      child: spawn(program, args, { cwd, env, ...own, detached: HAS_GROUPS, stdio: [stdin, 'pipe', 'pipe'] }),
      mark,
    };
  } catch (error) {
    return { reason: reasonOf(error as NodeJS.ErrnoException, spec) };
  }
};

const reasonOf = (error: NodeJS.ErrnoException, { argv: [program = ''], cwd, env }: ProcessSpec): string =>
  failureReason(startFault(error, { program, path: env.PATH, cwd }), cwd);

type LifeDeps = Pick<ChildDeps, 'watch'> & { child: ChildProcess; group: number; mark?: string };

const lifeOf = ({ child, group, mark, watch }: LifeDeps, { grace, env }: ProcessSpec): GroupLife => {
  const { stdin, stdout, stderr } = child;
  stdin?.on('error', () => {}); // each write has its status
  return groupLife({
    group,
    grace,
    watch,
    mark,
    env,
    closeInput: () => stdin?.end(),
    drain: () => {
      for (const stream of [stdout, stderr]) stream?.resume();
    },
    release: () => {
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

const readOutput = (child: ChildProcess, backpressure: Backpressure): Observable<ChildEvent> =>
  merge(
    ...(['stdout', 'stderr'] as const).map((stream) => {
      const readable = child[stream];
      readable?.on('error', () => {}); // it counts as the end
      return readable === null || readable === undefined
        ? EMPTY
        : fromReadable<Uint8Array>(readable, backpressure).pipe(
            map((chunk): ChildEvent => ({ kind: 'output', stream, chunk })),
          );
    }),
  );

/** Writes each line to the child's input, which ends with the lines. Emits nothing. */
const writeInputLines = (
  { stdin }: ChildProcess,
  line$: Observable<string | Uint8Array> | undefined,
): Observable<never> =>
  stdin && line$
    ? concat(
        line$.pipe(writeLines(stdin)),
        defer(() => end(stdin)),
      )
    : EMPTY;

const end = (stdin: Writable): Observable<never> => {
  stdin.end();
  return EMPTY;
};

/** Closes the input of a child, and reports whether it was open. */
export const closeInput = (stdin: Writable | null): WriteStatus => {
  if (!stdin?.writable) return 'stdinClosed';
  stdin.end();
  return 'accepted';
};

/**
 * Writes when it is subscribed. Emits the status once the operating system has taken the bytes; an error means a closed input, and so
 * does a stream that is destroyed by then: Node reports no error for what was still to be written.
 */
export const writeInput = (stdin: Writable | null, chunk: Uint8Array): Observable<WriteStatus> =>
  new Observable((subscriber) => {
    const settle = (status: WriteStatus) => {
      subscriber.next(status);
      subscriber.complete();
    };
    if (!stdin?.writable) return settle('stdinClosed');
    stdin.write(chunk, (error) => settle(error || stdin.destroyed ? 'stdinClosed' : 'accepted'));
  });

/** What a peer does; lines are all that can be done with it. */
export type PeerEvent = Exclude<ChildEvent, { kind: 'started' }>;

/**
 * A program as a peer: `line$ => event$`. Each line goes to its input with a newline after it; when the lines end,
 * so does the input. All else is as `fromChild` has it: unsubscribing ends the whole process group.
 *   line$  a---b---|
 *   event$ ---A---B--(xz|)   (A, B output, x exited, z closed)
 */
export const fromPeer =
  (deps: ChildDeps, spec: ProcessSpec): OperatorFunction<string | Uint8Array, PeerEvent> =>
  (line$: Observable<string | Uint8Array>) =>
    fromChild(deps, spec, line$).pipe(filter((event) => event.kind !== 'started'));
