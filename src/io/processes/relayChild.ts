/** Relays bytes between a client and a child process, unchanged both ways, and emits a copy of them. */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { EMPTY, Observable, ReplaySubject, type Subscriber } from 'rxjs';
import { inputFirst } from '../../streams/time/limits';
import type { Spawn, WatchGroup } from './child';
import { markedEnvironment, presentVariables } from './markedEnvironment';
import { failureReason, startFault } from './startFault';

/** A stream of the child. */
type RelayDir = 'in' | 'out' | 'err';

/** Relayed chunks in their order; `ended`: no more comes this way; `signalled`: a signal is relayed; `exited` comes last and has a code or a signal. */
export type RelayEvent =
  | { kind: 'chunk'; dir: RelayDir; chunk: Uint8Array }
  | { kind: 'ended'; dir: RelayDir }
  | { kind: 'signalled'; signal: NodeJS.Signals }
  | { kind: 'exited'; code: number | null; signal: NodeJS.Signals | null }
  | { kind: 'failed'; reason: string; code?: string };

/** Passes what comes from one stream to another in its own way, and emits what it did. Completes when all of it is handed over. */
type Join<J> = (from: Readable, to: Writable) => Observable<J>;

/** The streams are those of the client. */
export type RelayDeps<J = never> = {
  /** In place of passing the bytes as they are. */
  joins?: Partial<Record<'in' | 'out', Join<J>>>;
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
export const relayChild = <J = never>(
  deps: RelayDeps<J>,
  [program = '', ...args]: readonly string[],
): Observable<RelayEvent | J> =>
  new Observable<RelayEvent | J>((subscriber) => {
    const faultOf = (error: NodeJS.ErrnoException) => startFault(error, { program, path: deps.env.PATH, cwd: '.' });
    try {
      const { env } = markedEnvironment(deps.watch, { env: presentVariables(deps.env) });
      const child = deps.spawn(program, args, { stdio: 'pipe', env });
      child.on('error', (error) => child.pid === undefined && fail(subscriber, faultOf(error)));
      const relaying = { deps, child, subscriber };
      watchExit(relaying, joinStreams(relaying));
      subscriber.add(deps.signal$.subscribe((signal) => passSignal(relaying, signal)));
      return () => {
        deps.stdin.unpipe().pause();
        child.kill('SIGKILL');
      };
    } catch (error) {
      return fail(subscriber, faultOf(error as NodeJS.ErrnoException));
    }
  });

const fail = <J>(subscriber: Subscriber<RelayEvent | J>, error: NodeJS.ErrnoException): void => {
  subscriber.next({ kind: 'failed', reason: failureReason(error, '.'), code: error.code });
  subscriber.complete();
};

type Relaying<J> = { deps: RelayDeps<J>; child: ChildProcess; subscriber: Subscriber<RelayEvent | J> };

const passSignal = <J>({ child, subscriber }: Relaying<J>, signal: NodeJS.Signals): void => {
  subscriber.next({ kind: 'signalled', signal });
  child.kill(signal);
};

/** Each stream is joined before it is read here: a byte is relayed before its copy is emitted. Completes when own joins have handed over all. */
const joinStreams = <J>(relaying: Relaying<J>): Observable<never> => {
  const { deps, child, subscriber } = relaying;
  const { stdin, stdout, stderr } = child as ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };
  const copy = (dir: RelayDir, from: Readable) =>
    from
      .on('data', (chunk: Uint8Array) => subscriber.next({ kind: 'chunk', dir, chunk }))
      .on('end', () => subscriber.next({ kind: 'ended', dir }));
  if (deps.joins?.in) joinBy(relaying, { dir: 'in', from: deps.stdin, to: stdin, own: deps.joins.in });
  else copy('in', join(deps.stdin, stdin, 'end'));
  copy('err', join(stderr, deps.stderr, 'stay'));
  if (deps.joins?.out) return joinBy(relaying, { dir: 'out', from: stdout, to: deps.stdout, own: deps.joins.out });
  copy('out', join(stdout, deps.stdout, 'stay'));
  return EMPTY;
};

type OwnJoin<J> = { dir: 'in' | 'out'; from: Readable; to: Writable; own: Join<J> };

const joinBy = <J>({ subscriber }: Relaying<J>, { dir, from, to, own }: OwnJoin<J>): Observable<never> => {
  const over$ = new ReplaySubject<never>(); // the wire from its end to the end of the relay
  to.on('error', () => from.destroy());
  const complete = () => {
    if (dir === 'in') to.end();
    subscriber.next({ kind: 'ended', dir });
    over$.complete();
  };
  const next = (event: J) => subscriber.next(event);
  subscriber.add(own(from, to).subscribe({ next, complete, error: (error) => subscriber.error(error) }));
  return over$;
};

/** `stay`: the writer of this process outlives the reader. A writer whose reader is closed sees a broken pipe. */
const join = (from: Readable, to: Writable, atEnd: 'end' | 'stay'): Readable => {
  to.on('error', () => from.destroy());
  from.on('error', () => atEnd === 'end' && to.end());
  from.pipe(to, { end: atEnd === 'end' });
  return from;
};

const watchExit = <J>(
  { deps: { watch, stdout }, child, subscriber }: Relaying<J>,
  joined$: Observable<never>,
): void => {
  const forget = child.pid === undefined ? undefined : watch(child.pid, 'process');
  child.on('exit', (code, signal) => {
    forget?.();
    const finish = () => {
      subscriber.next({ kind: 'exited', code, signal });
      subscriber.complete();
    };
    const flush = () => void subscriber.add(joined$.subscribe({ complete: () => void stdout.write('', finish) }));
    const giveUp = () => {
      child.stdout?.destroy();
      flush();
    };
    subscriber.add(inputFirst.schedule(giveUp, LINGER_MS));
    child.on('close', flush);
  });
};
