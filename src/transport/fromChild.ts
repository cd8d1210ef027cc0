/** Owns the edge to a child process: its own process group, no shell, nothing left behind. */
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { Observable, type Subscription } from 'rxjs';
import type { OutputStream, ProcessSpec } from '../protocol';
import type { Pressure } from '../streams';
import { fromReadable } from './fromReadable';
import { writeLines } from './writeLines';

/** What a child does, in the order it is noticed; numbering is the executor's. */
export type ChildEvent =
  | { kind: 'output'; stream: OutputStream; chunk: Uint8Array }
  | { kind: 'exited'; exitCode: number }
  | { kind: 'closed' }
  | { kind: 'failed'; reason: string };

export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
export type ChildDeps = { spawn: Spawn; pressure: Pressure; signals: Record<string, number> };

/**
 * Starts a program. Emits its output as it comes, `exited` with its code (128 + n after signal n), `closed`
 * when both outputs have ended; `failed` alone when it could not be started. Completes after the last of these.
 * Output waits while the reader is slow, and the child with it. Unsubscribing kills the whole process group.
 * @param line$ goes to the child's input, which ends with it; a child without has no input at all
 */
export const fromChild = (
  { spawn, pressure, signals }: ChildDeps,
  { argv, cwd, env }: ProcessSpec,
  line$?: Observable<string>,
): Observable<ChildEvent> =>
  new Observable<ChildEvent>((subscriber) => {
    const fail = (reason: string) => {
      subscriber.next({ kind: 'failed', reason });
      subscriber.complete();
    };
    const [program, ...args] = argv;
    if (program === undefined) return fail('command args are empty');
    let child: ChildProcess;
    try {
      child = spawn(program, args, { cwd, env, detached: true, stdio: [line$ ? 'pipe' : 'ignore', 'pipe', 'pipe'] });
    } catch (error) {
      return fail(toReason(error as NodeJS.ErrnoException, cwd));
    }
    const reading = (['stdout', 'stderr'] as const).map((stream): Subscription | undefined => {
      const readable = child[stream];
      return (
        readable?.on('error', () => {}) &&
        fromReadable<Uint8Array>(readable, pressure).subscribe((chunk) =>
          subscriber.next({ kind: 'output', stream, chunk }),
        )
      );
    });
    const { stdin } = child;
    const writing =
      stdin &&
      line$?.pipe(writeLines(stdin)).subscribe({
        error: (error) => subscriber.error(error),
        complete: () => stdin.end(),
      });
    child.on('error', (error: NodeJS.ErrnoException) => child.pid === undefined && fail(toReason(error, cwd)));
    child.on('exit', (code, signal) => {
      subscriber.next({ kind: 'exited', exitCode: code ?? 128 + (signals[signal as string] ?? 0) });
    });
    child.on('close', () => {
      subscriber.next({ kind: 'closed' });
      subscriber.complete();
    });
    return () => {
      writing?.unsubscribe();
      for (const each of reading) each?.unsubscribe();
      for (const stream of [stdin, child.stdout, child.stderr]) stream?.destroy();
      killGroup(child.pid);
    };
  });

const WORDS: Record<string, string> = {
  ENOENT: 'No such file or directory (os error 2)',
  EACCES: 'Permission denied (os error 13)',
  ENOTDIR: 'Not a directory (os error 20)',
};

/** The operating system's words for why a program cannot be started; spawn blames the program for its folder too. */
const toReason = ({ code = '', path, message }: NodeJS.ErrnoException, cwd: string): string => {
  const words = WORDS[code];
  if (words === undefined) return message;
  const trouble = folderTrouble(cwd);
  return trouble === undefined ? `${path ?? 'program'}: ${words}` : `working directory ${cwd}: ${trouble}`;
};

const folderTrouble = (path: string): string | undefined => {
  try {
    accessSync(`${path}/.`, constants.X_OK);
    return undefined;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return WORDS[code] ?? message;
  }
};

/** Nobody is left (ESRCH), or only the dead, or another user's processes (EPERM; macOS says so of zombies). */
const BEYOND_REACH = ['ESRCH', 'EPERM'];

/** Ends every process of the group at once. */
const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!BEYOND_REACH.includes((error as NodeJS.ErrnoException).code as string)) throw error;
  }
};
