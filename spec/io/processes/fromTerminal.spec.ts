import { firstValueFrom, Subject } from 'rxjs';
import type { Child, ChildEvent } from '../../../src/io/processes/child';
import { fromTerminal, openTerminal, type SpawnTerminal, type Terminal } from '../../../src/io/processes/fromTerminal';
import type { ProcessSpec } from '../../../src/protocol/exec/process';
import { type Backpressure, noBackpressure } from '../../../src/streams/backpressure';

const spec: ProcessSpec = { argv: ['/bin/sh', 'a', ''], cwd: '/', env: { A: '1' }, tty: true };

/** A terminal that does what the spec wants. */
const terminalOf = () => {
  const data$ = new Subject<Uint8Array>();
  const exit$ = new Subject<{ exitCode: number; signal?: number }>();
  const done: string[] = [];
  const terminal: Terminal = {
    pid: 42_424_242,
    onData: (listener) => data$.subscribe(listener),
    onExit: (listener) => exit$.subscribe(listener),
    write: (chunk) => done.push(`write ${JSON.stringify(Buffer.from(chunk).toString())}`),
    pause: () => done.push('pause'),
    resume: () => done.push('resume'),
  };
  return { terminal, done, say: (text: string) => data$.next(Buffer.from(text)), exit$ };
};

const start = (terminal: Terminal, own: Partial<ProcessSpec> = {}, backpressure: Backpressure = noBackpressure) => {
  const received: unknown[] = [];
  const children: Child[] = [];
  const opened: unknown[] = [];
  const spawn: SpawnTerminal = (...asked) => {
    opened.push(asked);
    return terminal;
  };
  const toPlain = (event: ChildEvent) => (event.kind === 'output' ? { ...event, chunk: String(event.chunk) } : event);
  const running = fromTerminal(
    { terminals: () => spawn, backpressure, watch: () => () => {} },
    { ...spec, ...own },
  ).subscribe({
    next: (event) => (event.kind === 'started' ? children.push(event.child) : received.push(toPlain(event))),
    complete: () => received.push('|'),
  });
  return { received, opened, running, child: children[0] as Child };
};

describe('fromTerminal', () => {
  let kill: jest.SpyInstance;
  beforeEach(() => {
    kill = jest.spyOn(process, 'kill').mockReturnValue(true);
  });
  afterEach(() => kill.mockRestore());

  it('opens a terminal of 24 lines of 80', () => {
    const { opened } = start(terminalOf().terminal);
    const options = { cols: 80, rows: 24, name: 'xterm-256color', cwd: '/', env: { A: '1' }, encoding: null };
    expect(opened).toEqual([['/bin/sh', ['a', ''], options]]);
    expect(start(terminalOf().terminal, { env: { TERM: 'vt100' } }).opened).toMatchObject([
      [{}, {}, { name: 'vt100' }],
    ]);
  });

  it.each([
    [{ exitCode: 3, signal: 0 }, 3],
    [{ exitCode: 0, signal: 15 }, 143],
    [{ exitCode: 4 }, 4],
  ])('emits all its output as one stream, its end %j, the close', (end, exitCode) => {
    const { terminal, say, exit$ } = terminalOf();
    const { received } = start(terminal);
    say('out');
    say('err');
    exit$.next(end);
    expect(received).toEqual([
      { kind: 'output', stream: 'pty', chunk: 'out' },
      { kind: 'output', stream: 'pty', chunk: 'err' },
      { kind: 'exited', exitCode },
      { kind: 'closed' },
      '|',
    ]);
    expect(kill.mock.calls).toEqual([[-42_424_242, 'SIGKILL']]);
  });

  it('writes, ends the input with a Ctrl-D, interrupts, terminates; refuses input after the end', async () => {
    const { terminal, done, exit$ } = terminalOf();
    const { child } = start(terminal);
    expect(await firstValueFrom(child.write(Buffer.from('hi\n')))).toBe('accepted');
    expect(await firstValueFrom(child.closeStdin())).toBe('accepted');
    expect(done).toEqual(['write "hi\\n"', 'write "\\u0004"']);
    await firstValueFrom(child.signal('interrupt'));
    expect(await firstValueFrom(child.terminate())).toBe(true);
    expect(kill.mock.calls).toEqual([
      [-42_424_242, 'SIGINT'],
      [-42_424_242, 'SIGKILL'],
    ]);
    exit$.next({ exitCode: 0, signal: 9 });
    expect(await firstValueFrom(child.write(Buffer.from('x')))).toBe('stdinClosed');
    expect(await firstValueFrom(child.terminate())).toBe(false);
  });

  it('makes it wait while the reader is slow', () => {
    const { terminal, done, say } = terminalOf();
    const drain$ = new Subject<void>();
    start(terminal, {}, { isFull: () => true, drain$ });
    say('a');
    say('b'); // was on its way
    expect(done).toEqual(['pause', 'pause']);
    drain$.next();
    expect(done).toEqual(['pause', 'pause', 'resume']);
  });

  it('ends the group when unsubscribed, and drops what it still writes', () => {
    const { terminal, done, say, exit$ } = terminalOf();
    const { received, running } = start(terminal);
    running.unsubscribe();
    expect([done, kill.mock.calls]).toEqual([['resume'], [[-42_424_242, 'SIGKILL']]]);
    say('late');
    exit$.next({ exitCode: 0, signal: 9 });
    expect(received).toEqual([]);
  });

  it('ends it with a Ctrl-D first where its spec has grace', () => {
    const { terminal, done, exit$ } = terminalOf();
    const { running } = start(terminal, { grace: { inputMs: 9999, termMs: 9999 } });
    running.unsubscribe();
    expect([done, kill.mock.calls]).toEqual([['resume', 'write "\\u0004"'], []]);
    exit$.next({ exitCode: 0 });
    expect(kill.mock.calls).toEqual([[-42_424_242, 'SIGKILL']]);
  });

  it('starts what is found on the PATH it was given', () => {
    expect(start(terminalOf().terminal, { argv: ['sh'], env: { PATH: '/nowhere:/bin' } }).opened).toHaveLength(1);
    expect(start(terminalOf().terminal, { argv: ['sh'], env: {} }).opened).toHaveLength(1);
    expect(start(terminalOf().terminal, { argv: ['./sh'], cwd: '/bin' }).opened).toHaveLength(1);
  });

  it.each<[Partial<ProcessSpec>, string]>([
    [{ argv: ['/nowhere/x'] }, '/nowhere/x: No such file or directory (os error 2)'],
    [{ argv: ['no-such-program'] }, 'no-such-program: No such file or directory (os error 2)'],
    [{ argv: ['/bin'] }, '/bin: Permission denied (os error 13)'],
    [{ argv: [__filename] }, `${__filename}: Permission denied (os error 13)`],
    [{ cwd: '/gone' }, 'working directory /gone: No such file or directory (os error 2)'],
    [{ argv: [] }, 'command args are empty'],
    [{ argv: ['/bin/sh', 'a\0b'] }, 'the command must be without null bytes'],
    [{ arg0: 'x' }, 'arg0 cannot be set for a process with a tty'],
  ])('fails with a reason, and opens nothing, for %j', (own, reason) => {
    const { received, opened } = start(terminalOf().terminal, own);
    expect([received, opened]).toEqual([[{ kind: 'failed', reason }, '|'], []]);
  });

  it('fails where nothing opens terminals', () => {
    const received: unknown[] = [];
    const deps = { backpressure: noBackpressure, watch: () => () => {} };
    fromTerminal({ ...deps, terminals: () => undefined }, spec).subscribe((event) => received.push(event));
    fromTerminal(deps, spec).subscribe((event) => received.push(event));
    const reason = expect.stringContaining('install node-pty next to it');
    expect(received).toEqual([
      { kind: 'failed', reason },
      { kind: 'failed', reason },
    ]);
  });
});

describe('openTerminal', () => {
  it.each([
    [{ TERM: 'vt100', A: '1' }, 'vt100'],
    [{ A: '1' }, 'xterm-256color'],
  ])('starts the program in a terminal of 80 by 24 with the environment %j', (env, name) => {
    const spawn = jest.fn();
    openTerminal(spawn, { argv: ['prog', 'a', ''], cwd: '/w', env });
    expect(spawn.mock.calls).toEqual([
      ['prog', ['a', ''], { cols: 80, rows: 24, name, cwd: '/w', env, encoding: null }],
    ]);
  });
});
