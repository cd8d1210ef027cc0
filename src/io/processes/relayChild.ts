/** Relays bytes between a client and a child process, unchanged both ways, and emits a copy of them. */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { Observable, type Subscriber } from 'rxjs';
import { inputFirst } from '../../streams/time/limits';
import type { Spawn, WatchGroup } from './child';
import { markedEnvironment, presentVariables } from './markedEnvironment';
import { failureReason, startFault } from './startFault';

/** A stream of the child. */
type RelayDir = 'in' | 'out' | 'err';

/** Relayed chunks in their order; `ended`: no more comes this way; `exited` comes last and has a code or a signal. */
export type RelayEvent =
  | { kind: 'chunk'; dir: RelayDir; chunk: Uint8Array }
  | { kind: 'ended'; dir: RelayDir }
  | { kind: 'exited'; code: number | null; signal: NodeJS.Signals | null }
  | { kind: 'failed'; reason: string; code?: string };

/** The streams are those of the client. */
export type RelayDeps = {
  spawn: Spawn;
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  /** Relayed to the child. */
  signal$: Observable<NodeJS.Signals>;

  /** Kills the child when this process is killed. */
  watch: WatchGroup;
  /** Of this process. The child gets it with a mark, by which all that it starts is found when this process is killed. */
  env: Readonly<Record<string, string | undefined>>;
};

/** How long after the child's exit other processes may keep its outputs open. */
const LINGER_MS = 1_000;

/**
 * Starts a program in this process's folder, environment (with a mark) and process group, and joins its streams with the client's.
 * A slow reader slows its writer; the end of a stream and the loss of a reader are relayed. Completes after `exited` and the last
 * byte, or after `failed`. Unsubscribing kills the child.
 */
export const relayChild = (deps: RelayDeps, [program = '', ...args]: readonly string[]): Observable<RelayEvent> =>
  new Observable<RelayEvent>((subscriber) => {
    const faultOf = (error: NodeJS.ErrnoException) => startFault(error, { program, path: deps.env.PATH, cwd: '.' });
    try {
      const { env } = markedEnvironment(deps.watch, { env: presentVariables(deps.env) });
      const child = deps.spawn(program, args, { stdio: 'pipe', env });
      child.on('error', (error) => child.pid === undefined && fail(subscriber, faultOf(error)));
      joinStreams(deps, child, subscriber);
      watchExit(deps, child, subscriber);
      subscriber.add(deps.signal$.subscribe((signal) => child.kill(signal)));
      return () => {
        deps.stdin.unpipe().pause();
        child.kill('SIGKILL');
      };
    } catch (error) {
      return fail(subscriber, faultOf(error as NodeJS.ErrnoException));
    }
  });

const fail = (subscriber: Subscriber<RelayEvent>, error: NodeJS.ErrnoException): void => {
  subscriber.next({ kind: 'failed', reason: failureReason(error, '.'), code: error.code });
  subscriber.complete();
};

/** Each stream is joined before it is read here, so that a byte is relayed before its copy is emitted. */
const joinStreams = (deps: RelayDeps, child: ChildProcess, subscriber: Subscriber<RelayEvent>): void => {
  const { stdin, stdout, stderr } = child as ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
  const copy = (dir: RelayDir, from: Readable) =>
    from
      .on('data', (chunk: Uint8Array) => subscriber.next({ kind: 'chunk', dir, chunk }))
      .on('end', () => subscriber.next({ kind: 'ended', dir }));
  copy('in', join(deps.stdin, stdin, 'end'));
  copy('out', join(stdout, deps.stdout, 'stay'));
  copy('err', join(stderr, deps.stderr, 'stay'));
};

/** `stay`: the writer of this process outlives the reader. A writer whose reader is closed sees a broken pipe. */
const join = (from: Readable, to: Writable, atEnd: 'end' | 'stay'): Readable => {
  to.on('error', () => from.destroy());
  from.on('error', () => atEnd === 'end' && to.end());
  from.pipe(to, { end: atEnd === 'end' });
  return from;
};

const watchExit = ({ watch, stdout }: RelayDeps, child: ChildProcess, subscriber: Subscriber<RelayEvent>): void => {
  const forget = child.pid === undefined ? undefined : watch(child.pid, 'process');
  child.on('exit', (code, signal) => {
    forget?.();
    const finish = () => {
      subscriber.next({ kind: 'exited', code, signal });
      subscriber.complete();
    };
    const flush = () => void stdout.write('', finish);
    subscriber.add(inputFirst.schedule(flush, LINGER_MS));
    child.on('close', flush);
  });
};
