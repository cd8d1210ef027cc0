import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { type Observable, of, Subject, throwError } from 'rxjs';
import type { ChildEvent } from '../../../src/io/processes/child';
import { closeInput, fromChild, fromPeer, writeInput } from '../../../src/io/processes/fromChild';
import { noBackpressure } from '../../../src/streams/backpressure';

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A child that does what the spec wants. */
const childOf = () =>
  Object.assign(new EventEmitter(), { pid: 42_424_242, stdout: new PassThrough(), stderr: new PassThrough() });

/** A child that could not be started: no pid, and where handles are short no streams. */
const unstarted = () => new EventEmitter();

const spec = { argv: ['prog', 'a', ''], cwd: '/', env: { A: '1' } };

/** Starts the child; `received` is what was emitted so far, bytes as text. */
const start = (child: EventEmitter | Error, own: Partial<typeof spec> = {}, line$?: Observable<string>) => {
  const spawned: unknown[] = [];
  const spawn = (command: string, args: readonly string[], options: SpawnOptions) => {
    spawned.push({ command, args, options });
    if (child instanceof Error) throw child;
    return child as unknown as ChildProcess;
  };
  const received: unknown[] = [];
  const toPlain = (event: ChildEvent) => (event.kind === 'output' ? { ...event, chunk: String(event.chunk) } : event);
  const subscription = fromChild(
    { spawn, backpressure: noBackpressure, signals: { SIGTERM: 15 }, watch: () => () => {} },
    { ...spec, ...own },
    line$,
  ).subscribe({
    next: (event) => event.kind !== 'started' && received.push(toPlain(event)),
    error: (error) => received.push(`# ${error}`),
    complete: () => received.push('|'),
  });
  return { received, spawned, subscription };
};

const failedAs = (code: string, own: object = {}) => Object.assign(new Error(`spawn prog ${code}`), { code, ...own });

describe('fromChild', () => {
  let kill: jest.SpyInstance;
  beforeEach(() => {
    kill = jest.spyOn(process, 'kill').mockReturnValue(true);
  });
  afterEach(() => kill.mockRestore());

  it('starts the program in a group of its own, without a shell, with nothing to read', () => {
    expect(start(childOf()).spawned).toEqual([
      {
        command: 'prog',
        args: ['a', ''],
        options: { cwd: '/', env: { A: '1' }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
      },
    ]);
  });

  it('emits output as it comes, the exit, output after it, the close; then ends what is left of the group', async () => {
    const child = childOf();
    const { received } = start(child);
    child.stdout.write('one');
    await soon();
    child.stderr.write('two');
    await soon();
    child.emit('exit', 7, null);
    child.stdout.end('three');
    await soon();
    expect(kill).not.toHaveBeenCalled();
    child.emit('close', 7, null);
    expect(received).toEqual([
      { kind: 'output', stream: 'stdout', chunk: 'one' },
      { kind: 'output', stream: 'stderr', chunk: 'two' },
      { kind: 'exited', exitCode: 7 },
      { kind: 'output', stream: 'stdout', chunk: 'three' },
      { kind: 'closed' },
      '|',
    ]);
    expect(kill.mock.calls).toEqual([[-42_424_242, 'SIGKILL']]);
  });

  it.each([
    [0, null, 0],
    [null, 'SIGTERM', 143],
    [null, 'SIGUNKNOWN', 128],
  ])('emits the end %j by %j as %i', (code, signal, exitCode) => {
    const child = childOf();
    const { received } = start(child);
    child.emit('exit', code, signal);
    expect(received).toStrictEqual([{ kind: 'exited', exitCode, ...(signal !== null && { signal }) }]);
  });

  it.each([
    ['ENOENT', { path: 'prog' }, '/', 'prog: No such file or directory (os error 2)'],
    ['EACCES', { path: 'prog' }, '/', 'prog: No such file or directory (os error 2)'], // a folder of PATH is closed
    ['ENOENT', {}, '/', 'program: No such file or directory (os error 2)'],
    ['ENOENT', { path: 'prog' }, '/gone', 'working directory /gone: No such file or directory (os error 2)'],
    ['ENOTDIR', { path: 'prog' }, __filename, `working directory ${__filename}: Not a directory (os error 20)`],
    ['ENOENT', { path: 'prog' }, `/${'x'.repeat(5000)}`, expect.stringContaining('ENAMETOOLONG')],
    ['EMFILE', { path: 'prog' }, '/', expect.stringMatching(/^spawn prog EMFILE: .*ulimit -n/)],
  ])('fails with the text of the system for %s %j in %s', (code, own, cwd, reason) => {
    const child = unstarted();
    const { received } = start(child, { cwd });
    child.emit('error', failedAs(code, own));
    child.emit('exit', -2, null);
    child.emit('close', -2, null);
    expect(received).toEqual([{ kind: 'failed', reason }, '|']);
    expect(kill).not.toHaveBeenCalled();
  });

  it('fails with what the system answers for a program that may not be run', () => {
    const child = unstarted();
    const { received } = start(child, { argv: ['./prog'] });
    child.emit('error', failedAs('EACCES', { path: './prog' }));
    expect(received).toEqual([{ kind: 'failed', reason: './prog: Permission denied (os error 13)' }, '|']);
  });

  it('fails with what spawn throws, and without a program at all', () => {
    expect(start(new TypeError('no null bytes')).received).toEqual([{ kind: 'failed', reason: 'no null bytes' }, '|']);
    expect(start(failedAs('E2BIG')).received).toEqual([{ kind: 'failed', reason: 'spawn prog E2BIG' }, '|']);
    const { received, spawned } = start(childOf(), { argv: [] });
    expect([received, spawned]).toEqual([[{ kind: 'failed', reason: 'command args are empty' }, '|'], []]);
  });

  it('writes lines to the input, which ends with them; a child without lines has none', async () => {
    const child = Object.assign(childOf(), { stdin: new PassThrough() });
    const { spawned } = start(child, {}, of('a', 'b'));
    await soon();
    expect([String(child.stdin.read()), child.stdin.writableEnded]).toEqual(['a\nb\n', true]);
    expect(spawned).toMatchObject([{ options: { stdio: ['pipe', 'pipe', 'pipe'] } }]);
  });

  it('passes an error of the lines on, ends the group and lets go of its input', () => {
    const child = Object.assign(childOf(), { stdin: new PassThrough() });
    const { received } = start(
      child,
      {},
      throwError(() => 'bug'),
    );
    expect([received, child.stdin.destroyed]).toEqual([['# bug'], true]);
    expect(kill.mock.calls).toEqual([[-42_424_242, 'SIGKILL']]);
  });

  it('goes on when the child reads no more', async () => {
    const child = Object.assign(childOf(), { stdin: new PassThrough() });
    const line$ = new Subject<string>();
    const { received } = start(child, {}, line$);
    child.stdin.destroy(Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
    await soon();
    expect([received, line$.observed]).toEqual([[], false]);
  });

  it('goes on after an error that is not one of starting, and after one of reading', async () => {
    const child = childOf();
    const { received } = start(child);
    child.emit('error', new Error('kill EPERM'));
    child.stdout.destroy(new Error('EIO'));
    await soon();
    child.emit('exit', 0, null);
    child.emit('close', 0, null);
    expect(received).toEqual([{ kind: 'exited', exitCode: 0 }, { kind: 'closed' }, '|']);
  });

  it('ends the group and lets go of its output when nobody listens', async () => {
    const child = childOf();
    const { received, subscription } = start(child);
    subscription.unsubscribe();
    expect(kill.mock.calls).toEqual([[-42_424_242, 'SIGKILL']]);
    expect([child.stdout.destroyed, child.stderr.destroyed]).toEqual([true, true]);
    child.emit('exit', null, 'SIGKILL');
    child.emit('close', null, 'SIGKILL');
    await soon();
    expect(received).toEqual([]);
  });

  it.each(['ESRCH', 'EPERM'])('takes %s for a group that is gone', (code) => {
    kill.mockImplementation(() => {
      throw failedAs(code);
    });
    expect(() => start(childOf()).subscription.unsubscribe()).not.toThrow();
  });

  it('does not hide any other failure to end the group', () => {
    kill.mockImplementation(() => {
      throw failedAs('EINVAL');
    });
    expect(() => start(childOf()).subscription.unsubscribe()).toThrow('EINVAL');
  });
});

describe('fromPeer', () => {
  const spec = { argv: ['prog'], cwd: '/', env: {} };
  const turn = () => new Promise(setImmediate);

  it('writes the lines to the program, and emits all it does but that it started', async () => {
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    const child = Object.assign(new EventEmitter(), { pid: 2 ** 30, ...streams });
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    const deps = {
      spawn: () => child as unknown as ChildProcess,
      backpressure: noBackpressure,
      signals: {},
      watch: () => () => {},
    };
    const seen: unknown[] = [];
    of('one', 'two')
      .pipe(fromPeer(deps, spec))
      .subscribe({ next: (event) => seen.push(event), complete: () => seen.push('|') });
    child.stdout.write('out');
    await turn();
    child.emit('exit', 0, null);
    child.emit('close');
    await turn();
    kill.mockRestore();
    expect([String(child.stdin.read()), child.stdin.writableEnded]).toEqual(['one\ntwo\n', true]);
    expect(seen).toEqual([
      { kind: 'output', stream: 'stdout', chunk: Buffer.from('out') },
      { kind: 'exited', exitCode: 0 },
      { kind: 'closed' },
      '|',
    ]);
  });
});

/** An input whose writes end when `release` is called, as those of a pipe do when somebody reads. */
const slowInput = () => {
  const releases: ((error?: Error) => void)[] = [];
  const stdin = new Writable({ write: (_chunk, _encoding, done) => void releases.push(done) });
  return { stdin, release: (error?: Error) => releases.shift()?.(error) };
};

const written = (stdin: Writable | null) => {
  const seen: string[] = [];
  writeInput(stdin, Buffer.from('a')).subscribe({
    next: (status) => seen.push(status),
    complete: () => seen.push('|'),
  });
  return seen;
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('writeInput', () => {
  it('emits accepted once the bytes were taken', async () => {
    const { stdin, release } = slowInput();
    const seen = written(stdin);
    await turn();
    expect(seen).toEqual([]);
    release();
    await turn();
    expect(seen).toEqual(['accepted', '|']);
  });

  it.each<[string, (stdin: Writable, release: (error?: Error) => void) => void]>([
    ['a write that fails', (stdin, release) => stdin.on('error', () => {}) && release(new Error('EPIPE'))],
    [
      'a write that is under way when the process ends',
      (stdin, release) => {
        stdin.destroy();
        release();
      },
    ],
  ])('emits stdinClosed for %s', async (_, end) => {
    const { stdin, release } = slowInput();
    const seen = written(stdin);
    end(stdin, release);
    await turn();
    expect(seen).toEqual(['stdinClosed', '|']);
  });

  it.each([
    ['no input', null],
    ['an input that has ended', new Writable({ write: () => {} }).end()],
  ])('emits stdinClosed at once for %s', (_, stdin) => {
    expect(written(stdin)).toEqual(['stdinClosed', '|']);
  });
});

describe('closeInput', () => {
  it('ends an input, once', () => {
    const { stdin } = slowInput();
    expect([closeInput(stdin), closeInput(stdin), closeInput(null)]).toEqual([
      'accepted',
      'stdinClosed',
      'stdinClosed',
    ]);
  });
});
