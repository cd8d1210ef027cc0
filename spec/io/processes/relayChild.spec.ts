import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { NEVER, Subject } from 'rxjs';
import type { WatchGroup } from '../../../src/io/processes/child';
import { type RelayEvent, relayChild } from '../../../src/io/processes/relayChild';

/** A child with streams; `done` is what was done with it. */
const childOf = (done: string[]) =>
  Object.assign(new EventEmitter(), {
    pid: 42_424_242,
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    kill: (signal: string) => done.push(signal),
  });

/** Each child gets the same mark. */
const marked = (watch: WatchGroup): WatchGroup =>
  Object.assign(watch, { marks: { next: () => ({ name: 'M', value: '1.' }), kill: () => {} } });

/** Relays to a child; `seen` is what was emitted, bytes as text. */
const start = (child?: EventEmitter | Error) => {
  const done: string[] = [];
  const own = child ?? childOf(done);
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const signal$ = new Subject<NodeJS.Signals>();
  const seen: unknown[] = [];
  const toPlain = (event: RelayEvent) => (event.kind === 'chunk' ? `${event.dir} ${event.chunk}` : event);
  const spawn = (program: string, args: readonly string[], options: object) => {
    done.push(`${program} ${args} ${JSON.stringify(options)}`);
    if (own instanceof Error) throw own;
    return own as unknown as ChildProcess;
  };
  const watch = (id: number, what?: string) => {
    done.push(`watch ${id} ${what}`);
    return () => done.push('forget');
  };
  const subscription = relayChild({ spawn, stdin, stdout, stderr, signal$, watch: marked(watch), env: { A: '1' } }, [
    'prog',
    'a',
  ]).subscribe({
    next: (event) => seen.push(toPlain(event)),
    complete: () => seen.push('|'),
  });
  return { child: own as ReturnType<typeof childOf>, done, seen, stdin, stdout, stderr, signal$, subscription };
};

const SPAWNED = ['prog a {"stdio":"pipe","env":{"A":"1","M":"1."}}', 'watch 42424242 process'];
const turn = () => new Promise(setImmediate);

describe('relayChild', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  it('relays bytes both ways, with a copy of each', async () => {
    const { child, done, seen, stdin, stdout, stderr } = start();
    stdin.write('in');
    child.stdout.write('out');
    child.stderr.write('err');
    await turn();
    expect([child.stdin, stdout, stderr].map((stream) => String(stream.read()))).toEqual(['in', 'out', 'err']);
    expect(seen).toEqual(expect.arrayContaining(['in in', 'out out', 'err err']));
    expect(done).toEqual(SPAWNED);
  });

  it('relays the end of the input, and keeps our outputs open at the end of those of the child', async () => {
    const { child, seen, stdin, stdout, stderr } = start();
    stdin.end();
    child.stdout.end();
    child.stderr.end();
    await turn();
    expect(seen).toEqual([
      { kind: 'ended', dir: 'in' },
      { kind: 'ended', dir: 'out' },
      { kind: 'ended', dir: 'err' },
    ]);
    expect([child.stdin, stdout, stderr].map(({ writableEnded }) => writableEnded)).toEqual([true, false, false]);
  });

  it('relays the loss of a reader to its writer, and a broken input as its end', async () => {
    const { child, stdin, stdout } = start();
    stdout.emit('error', new Error('EPIPE'));
    stdin.destroy(new Error('EIO'));
    await turn();
    expect([child.stdout.destroyed, child.stdin.writableEnded]).toEqual([true, true]);
  });

  it('does not end our output when that of the child breaks', async () => {
    const { child, stdout } = start();
    child.stdout.destroy(new Error('EIO'));
    await turn();
    expect(stdout.writableEnded).toBe(false);
  });

  it('emits the exit once the outputs have closed, and leaves no timer', async () => {
    const { child, done, seen } = start();
    child.emit('exit', 3, null);
    await turn();
    expect([seen, done]).toEqual([[], [...SPAWNED, 'forget']]);
    child.emit('close');
    await turn();
    expect(seen).toEqual([{ kind: 'exited', code: 3, signal: null }, '|']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('emits the exit a second later where other processes keep the outputs open', async () => {
    const { child, seen } = start();
    child.emit('exit', null, 'SIGTERM');
    jest.advanceTimersByTime(999);
    await turn();
    expect(seen).toEqual([]);
    jest.advanceTimersByTime(100); // and the turns of the event loop after it
    await turn();
    expect(seen).toEqual([{ kind: 'exited', code: null, signal: 'SIGTERM' }, '|']);
  });

  it('relays signals until the child has ended', async () => {
    const { child, done, seen, signal$ } = start();
    signal$.next('SIGINT');
    expect(seen).toEqual([{ kind: 'signalled', signal: 'SIGINT' }]);
    child.emit('exit', 0, null);
    child.emit('close');
    await turn();
    signal$.next('SIGTERM');
    expect(done).toEqual([...SPAWNED, 'SIGINT', 'forget', 'SIGKILL']);
  });

  it('kills the child and stops reading when it is unsubscribed', () => {
    const { done, stdin, subscription } = start();
    subscription.unsubscribe();
    expect(done).toEqual([...SPAWNED, 'SIGKILL']);
    expect(stdin.isPaused()).toBe(true);
  });

  it('fails for a child that cannot be started, at once or later', () => {
    const error = Object.assign(new Error('spawn prog ENOENT'), { code: 'ENOENT', path: 'prog' });
    const failed = { kind: 'failed', reason: 'prog: No such file or directory (os error 2)', code: 'ENOENT' };
    const late = start(Object.assign(childOf([]), { pid: undefined }));
    late.child.emit('error', error);
    expect([start(error).seen, late.seen]).toEqual([
      [failed, '|'],
      [failed, '|'],
    ]);
  });

  it('takes an error of a running child for no end', () => {
    const { child, seen } = start();
    child.emit('error', new Error('kill EPERM'));
    expect(seen).toEqual([]);
  });

  it('starts the program that an empty command names: none', () => {
    const spawn = jest.fn(() => childOf([]) as unknown as ChildProcess);
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    relayChild({ ...streams, spawn, signal$: NEVER, watch: () => () => {}, env: {} }, [])
      .subscribe()
      .unsubscribe();
    expect(spawn).toHaveBeenCalledWith('', [], { stdio: 'pipe', env: {} });
  });
});
