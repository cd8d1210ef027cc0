/** Owns standing between a client and a child process: bytes pass untouched both ways, a copy of them is told. */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { Observable } from 'rxjs';
import type { Spawn } from './spawn';
import type { WatchGroup } from './watchGroup';

export type RelayDir = 'in' | 'out' | 'err';

/** What passed, in the order it passed. `ended`: no more comes this way. `exited` comes last; it has a code or a signal. */
export type RelayEvent =
  | { kind: 'chunk'; dir: RelayDir; chunk: Uint8Array }
  | { kind: 'ended'; dir: RelayDir }
  | { kind: 'exited'; code: number | null; signal: NodeJS.Signals | null }
  | { kind: 'failed'; reason: string; code?: string };

/** The client's side; `signal$` is passed on to the child; `watch` ends it when this process is killed. */
export type RelayDeps = {
  spawn: Spawn;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  signal$: Observable<NodeJS.Signals>;
  watch: WatchGroup;
};

/** How long after the child's end others may hold its outputs open. */
const LINGER_MS = 1_000;

/**
 * Starts a program in this process's folder, environment and process group, and joins its streams with the client's.
 * A slow reader slows its writer, an end is passed on, a reader that is gone too. Completes after `exited` and the last
 * byte, or after `failed`. Unsubscribing kills the child.
 */
export const relayChild = (deps: RelayDeps, [program = '', ...args]: readonly string[]): Observable<RelayEvent> =>
  new Observable<RelayEvent>((subscriber) => {
    const fail = ({ code, message }: NodeJS.ErrnoException) => {
      subscriber.next({ kind: 'failed', reason: message, code });
      subscriber.complete();
    };
    let child: ChildProcess;
    try {
      child = deps.spawn(program, args, { stdio: 'pipe' });
    } catch (error) {
      return fail(error as NodeJS.ErrnoException);
    }
    const { stdin, stdout, stderr } = child as ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
    const listen = (dir: RelayDir, from: Readable) =>
      from
        .on('data', (chunk: Uint8Array) => subscriber.next({ kind: 'chunk', dir, chunk }))
        .on('end', () => subscriber.next({ kind: 'ended', dir }));
    // joined before it is listened to, so that a byte has passed before it is told
    listen('in', join(deps.stdin, stdin, 'end'));
    listen('out', join(stdout, deps.stdout, 'stay'));
    listen('err', join(stderr, deps.stderr, 'stay'));
    subscriber.add(deps.signal$.subscribe((signal) => child.kill(signal)));
    child.on('error', (error) => child.pid === undefined && fail(error));
    const forget = child.pid === undefined ? undefined : deps.watch(child.pid, 'process');
    child.on('exit', (code, signal) => {
      forget?.();
      const finish = () => {
        subscriber.next({ kind: 'exited', code, signal });
        subscriber.complete();
      };
      const flush = () => void deps.stdout.write('', finish);
      const late = setTimeout(flush, LINGER_MS);
      subscriber.add(() => clearTimeout(late));
      child.on('close', flush);
    });
    return () => {
      deps.stdin.unpipe().pause();
      child.kill('SIGKILL');
    };
  });

/** `stay`: the writer of this process outlives the reader. A reader that is gone makes the writer see a broken pipe. */
const join = (from: Readable, to: Writable, atEnd: 'end' | 'stay'): Readable => {
  to.on('error', () => from.destroy());
  from.on('error', () => atEnd === 'end' && to.end());
  from.pipe(to, { end: atEnd === 'end' });
  return from;
};
