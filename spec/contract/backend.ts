/** Owns what every Backend must keep, whatever runs its processes and wherever; called by the spec of each. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  filter,
  firstValueFrom,
  lastValueFrom,
  map,
  type Observable,
  ReplaySubject,
  reduce,
  type Subscription,
  scan,
  tap,
  toArray,
} from 'rxjs';
import type { Backend, Process, Started } from '../../src/executor/backend';
import type {
  Grace,
  OutputPage,
  OutputStream,
  ProcessEvent,
  ProcessSpec,
  ReadRequest,
} from '../../src/protocol/exec/process';
import { type Backpressure, noBackpressure } from '../../src/streams/backpressure';
import { removeFolder } from '../support/files';
import { gone, isAlive, isRunning, settled, until } from '../support/processes';
import { slowReader } from '../support/streams';
import { type Difference, itBut } from './differences';

/**
 * @param open a backend whose output waits while `backpressure` is full; its processes run on this machine
 * @param differences what this backend is known to do otherwise. Default: nothing
 * @param patienceMs how long a process may live on that should have ended
 * @param hostPid where processes have ids of their own: the id that one in a folder has here, undefined when it is gone
 */
export type BackendUnderTest = {
  open: (backpressure: Backpressure) => Backend;
  differences?: readonly Difference[];
  patienceMs?: number;
  hostPid?: (pid: number, folder: string) => number | undefined;
};

const PATH = '/usr/local/bin:/usr/bin:/bin';
/** For a machine with a hundred sandboxes to start and others to serve. */
const MANY_MS = 180_000;
/** Longer than any machine takes: what is waited for comes before, or the spec fails. */
const LONG_MS = 30_000;

const isEvent = (event: Started | ProcessEvent): event is ProcessEvent => event.kind !== 'started';

const textOf = (events: readonly ProcessEvent[], stream: OutputStream): string =>
  Buffer.concat(
    events.flatMap((event) => (event.kind === 'output' && event.stream === stream ? [event.chunk] : [])),
  ).toString();

const kindsOf = (events: readonly ProcessEvent[]): string[] =>
  events.map(({ kind }) => kind).filter((kind, i, all) => kind !== 'output' || all[i - 1] !== 'output');

/** A process that ended by itself: both texts, its code; the rest is the same for all and checked here. */
const outcomeOf = (events: readonly ProcessEvent[]) => {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
  expect(events.at(-1)?.kind).toBe('closed');
  const codes = events.flatMap((event) => (event.kind === 'exited' ? [event.exitCode] : []));
  expect(codes).toHaveLength(1);
  return { stdout: textOf(events, 'stdout'), stderr: textOf(events, 'stderr'), exitCode: codes[0] };
};

const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The numbers that a process writes to stdout, once there are so many. */
const pidsOf = (event$: Observable<ProcessEvent>, count: number): Promise<number[]> =>
  firstValueFrom(
    event$.pipe(
      scan((events, event) => [...events, event], [] as ProcessEvent[]),
      map((events) => textOf(events, 'stdout').split(/\s+/).slice(0, -1).map(Number)),
      filter((pids) => pids.length === count),
    ),
  );

export const backendContract = ({
  open,
  differences = [],
  patienceMs,
  hostPid = (pid) => pid,
}: BackendUnderTest): void => {
  const it = itBut(differences);
  const held: Subscription[] = [];
  afterEach(() => {
    for (const running of held.splice(0)) running.unsubscribe();
  });
  let folder = '';
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-')));
  });
  afterAll(() => removeFolder(folder));

  const calm = open(noBackpressure);
  const start = (argv: readonly string[], own: Partial<ProcessSpec> = {}, backend = calm) =>
    backend.start({ argv, cwd: folder, env: { PATH }, ...own }).pipe(filter(isEvent));
  const run = (argv: readonly string[], own: Partial<ProcessSpec> = {}) =>
    lastValueFrom(start(argv, own).pipe(toArray()));
  const sh = (script: string, ...args: string[]) => ['/bin/sh', '-c', script, 'sh', ...args];

  it.each<[string, readonly string[], { stdout?: string; stderr?: string; exitCode?: number }]>([
    ['nothing', sh(':'), {}],
    ['its code', sh('exit 3'), { exitCode: 3 }],
    ['the greatest code', sh('exit 255'), { exitCode: 255 }],
    ['its code after a text', sh('echo no >&2; exit 1'), { stderr: 'no\n', exitCode: 1 }],
    ['128 + 15 after SIGTERM', sh('kill -TERM $$'), { exitCode: 143 }],
    ['128 + 9 after SIGKILL', sh('echo x; kill -KILL $$'), { stdout: 'x\n', exitCode: 137 }],
    ['128 + 11 after SIGSEGV', sh('kill -SEGV $$'), { exitCode: 139 }],
    ['two streams', sh('echo out; echo err >&2; echo more'), { stdout: 'out\nmore\n', stderr: 'err\n' }],
    [
      'its arguments as they stand',
      sh('printf "<%s>" "$@"', 'a b', '', '$HOME', '*', '"\'\\', 'two\nlines', 'é😀', '-n'),
      { stdout: '<a b><><$HOME><*><"\'\\><two\nlines><é😀><-n>' },
    ],
    ['that its input is empty', ['cat'], {}],
    ['a program found on the PATH it was given', ['printf', 'found'], { stdout: 'found' }],
  ])('reports %s', async (_, argv, expected) => {
    expect(outcomeOf(await run(argv))).toEqual({ stdout: '', stderr: '', exitCode: 0, ...expected });
  });

  it('runs in the folder it was given, and sees the environment it was given, with the mark by which it is found', async () => {
    expect(outcomeOf(await run(sh('pwd -P')))).toMatchObject({ stdout: `${folder}\n` });
    const { stdout } = outcomeOf(await run(['/usr/bin/env'], { env: { A: '1 2', B: '', C: 'é' } }));
    const variables = stdout.trim().split('\n').sort();
    expect(variables.filter((line) => !line.startsWith('CODEX_RX_PROCESS='))).toEqual(['A=1 2', 'B=', 'C=é']);
  });

  it('passes bytes as they are', async () => {
    const events = await run(sh("printf '\\377\\000\\n\\303'"));
    const chunks = events.flatMap((event) => (event.kind === 'output' ? [event.chunk] : []));
    expect([...Buffer.concat(chunks)]).toEqual([255, 0, 10, 195]);
  });

  it.each<[string, () => { argv: readonly string[] } & Partial<ProcessSpec>, RegExp]>([
    ['a program that is not there', () => ({ argv: ['/nowhere/x'] }), /^\/nowhere\/x: No such file or directory/],
    ['a name that no folder of PATH has', () => ({ argv: ['no-such-program'] }), /^no-such-program: No such file/],
    ['a file that is no program', () => ({ argv: [__filename] }), /backend\.ts: Permission denied/],
    ['a folder', () => ({ argv: [folder] }), /: Permission denied/],
    [
      'a working directory that is not there',
      () => ({ argv: ['/bin/sh'], cwd: `${folder}/gone` }),
      /directory .*\/gone: No such file or directory/,
    ],
    [
      'a working directory that is a file',
      () => ({ argv: ['/bin/sh'], cwd: __filename }),
      /directory .*backend\.ts: Not a directory/,
    ],
    ['no argument at all', () => ({ argv: [] }), /empty$/],
    ['an empty name', () => ({ argv: ['', 'x'] }), /empty|missing program/],
    ['a NUL in an argument', () => ({ argv: ['/bin/echo', 'a\0b'] }), /null bytes/],
    ['a NUL in the name', () => ({ argv: ['/bin/echo\0', 'a'] }), /null bytes/],
    ['a NUL in the folder', () => ({ argv: ['/bin/echo'], cwd: '/tmp\0' }), /null bytes/],
  ])('fails with a reason on %s, and emits nothing else', async (_, spec, reason) => {
    const { argv, ...own } = spec();
    expect(await run(argv, own)).toEqual([{ kind: 'failed', seq: 1, reason: expect.stringMatching(reason) }]);
  });

  it('numbers all kinds from 1 without a gap, and keeps the order within a stream', async () => {
    const count = 400;
    const lines = Array.from({ length: count }, (_, i) => `${i}\n`).join('');
    const script = `i=0; while [ $i -lt ${count} ]; do echo $i; echo $i >&2; i=$((i+1)); done; exit 9`;
    expect(outcomeOf(await run(sh(script)))).toEqual({ stdout: lines, stderr: lines, exitCode: 9 });
  });

  it('loses nothing of 5 MB', async () => {
    const size = 5 * 1024 * 1024;
    const { stdout, stderr } = outcomeOf(
      await run(sh(`head -c ${size} /dev/zero | tr '\\0' x; head -c ${size} /dev/zero >&2`)),
    );
    expect([stdout.length, stderr.length]).toEqual([size, size]);
    expect(stdout === 'x'.repeat(size)).toBe(true);
  });

  it('loses nothing of 80 MB, more than any queue on the way holds, and emits it in order', async () => {
    const size = 80_000_000;
    const seen = await lastValueFrom(
      start(sh(`head -c ${size} /dev/zero`)).pipe(
        reduce(
          ({ bytes, disorder }, event, i) => ({
            bytes: bytes + (event.kind === 'output' ? event.chunk.length : 0),
            disorder: disorder + (event.seq === i + 1 ? 0 : 1),
          }),
          { bytes: 0, disorder: 0 },
        ),
      ),
    );
    expect(seen).toEqual({ bytes: size, disorder: 0 });
  });

  it('emits output that comes after the exit, then closes', async () => {
    const script =
      '(until [ -e exited ]; do sleep 0.02; done; echo late) & echo early; until [ -e early ]; do sleep 0.02; done';
    const events: ProcessEvent[] = [];
    await lastValueFrom(
      start(sh(script)).pipe(
        tap((event) => {
          events.push(event);
          if (event.kind === 'exited') writeFileSync(join(folder, 'exited'), '');
          if (event.kind === 'output') writeFileSync(join(folder, 'early'), '');
        }),
      ),
    );
    expect(kindsOf(events)).toEqual(['output', 'exited', 'output', 'closed']);
    expect(outcomeOf(events)).toEqual({ stdout: 'early\nlate\n', stderr: '', exitCode: 0 });
  });

  it('starts nothing before it is subscribed, and a process of its own for each subscription', async () => {
    const process$ = start(sh('echo x >> started; echo $$'));
    await soon(20);
    const pids = await Promise.all([pidsOf(process$, 1), pidsOf(process$, 1)]);
    expect(new Set(pids.flat()).size).toBe(2);
    expect(readFileSync(join(folder, 'started'), 'utf8')).toBe('x\nx\n');
  });

  it('runs many at once, each by its own id', async () => {
    const all = await Promise.all(Array.from({ length: 16 }, (_, i) => run(sh(`echo ${i}; exit ${i}`))));
    expect(all.map(outcomeOf)).toEqual(all.map((_, i) => ({ stdout: `${i}\n`, stderr: '', exitCode: i })));
  });

  it('ends the process and all it started when nobody listens', async () => {
    const event$ = new ReplaySubject<ProcessEvent>();
    const grandchild = '(trap "" TERM HUP; echo $(exec sh -c \'echo $PPID\'); sleep 300; :)';
    const running = start(sh(`echo $$; ${grandchild} & (sleep 300 & echo $!; wait) & wait`)).subscribe(event$);
    const pids = (await pidsOf(event$, 3)).map((pid) => hostPid(pid, folder));
    expect(pids.map(isAlive)).toEqual([true, true, true]);
    running.unsubscribe();
    await gone(pids, patienceMs);
  });

  it('leaves nothing behind when it completes', async () => {
    const { stdout } = outcomeOf(await run(sh('sleep 300 >/dev/null 2>&1 & echo $!')));
    expect(stdout).toMatch(/^\d+\n$/);
    await gone([hostPid(Number(stdout), folder)], patienceMs);
  });

  it('lets go at once of a process that was just started', async () => {
    const mark = randomUUID();
    start(sh('sleep 300; :', mark)).subscribe().unsubscribe();
    await run(sh(':')); // what the backend was asked for before is done by then
    await until(() => !isRunning(mark), 'the end of the process');
  });

  /** Starts a process and hands out what can be done with it; `events` grows, `over` comes with the last of them. */
  const hold = async (argv: readonly string[], own: Partial<ProcessSpec> = {}) => {
    const all$ = new ReplaySubject<Started | ProcessEvent>();
    const running = calm.start({ argv, cwd: folder, env: { PATH }, ...own }).subscribe(all$);
    held.push(running);
    const { process } = (await firstValueFrom(all$)) as Started;
    const events: ProcessEvent[] = [];
    const event$ = all$.pipe(filter(isEvent));
    event$.subscribe((event) => events.push(event));
    const over = lastValueFrom(event$.pipe(toArray()));
    return { process, running, events, over };
  };
  const sendTo = (process: Process, text: string) => firstValueFrom(process.write(Buffer.from(text)));
  const pageOf = (process: Process, from: Partial<ReadRequest> = {}) =>
    firstValueFrom(process.read({ afterSeq: 0, waitMs: 0, ...from }));
  const textIn = ({ chunks }: OutputPage) => Buffer.concat(chunks.map(({ chunk }) => chunk)).toString();

  it('emits that it started before all else, and what can be done with it', async () => {
    const first = await firstValueFrom(calm.start({ argv: sh('echo x'), cwd: folder, env: { PATH } }));
    expect(first.kind).toBe('started');
  });

  it('passes input on in order, and its end', async () => {
    const { process, over } = await hold(['cat'], { stdin: 'pipe' });
    expect(await Promise.all([sendTo(process, 'one\n'), sendTo(process, 'two\n')])).toEqual(['accepted', 'accepted']);
    expect(await firstValueFrom(process.closeStdin())).toBe('accepted');
    expect(outcomeOf(await over)).toEqual({ stdout: 'one\ntwo\n', stderr: '', exitCode: 0 });
  });

  it('refuses input that nobody can read: without a pipe, after its end, after the exit', async () => {
    const none = await hold(sh('exec sleep 300'));
    expect(await sendTo(none.process, 'x')).toBe('stdinClosed');
    expect(await firstValueFrom(none.process.closeStdin())).toBe('stdinClosed');
    none.running.unsubscribe();
    const { process, over } = await hold(sh('exit 0'), { stdin: 'pipe' });
    await over;
    expect(await sendTo(process, 'x')).not.toBe('accepted');
    const ended = await hold(['cat'], { stdin: 'pipe' });
    await firstValueFrom(ended.process.closeStdin());
    expect(await sendTo(ended.process, 'x')).toBe('stdinClosed');
  });

  it('lets a writer wait for a process that does not read, and does not let anything else wait with it', async () => {
    const { process, over } = await hold(sh('exec sleep 300'), { stdin: 'pipe' });
    const statuses: string[] = [];
    const big = 'x'.repeat(2_000_000);
    const writing = sendTo(process, big).then((status) => statuses.push(status));
    await soon(100);
    expect(statuses).toEqual([]);
    expect(await firstValueFrom(process.terminate())).toBe(true);
    expect(outcomeOf(await over)).toMatchObject({ exitCode: 137 });
    await writing;
    expect(statuses).not.toContain('accepted');
  });

  it('takes megabytes of input whole', async () => {
    const { process, over } = await hold(sh('wc -c'), { stdin: 'pipe' });
    expect(await Promise.all(Array.from({ length: 8 }, () => sendTo(process, 'x'.repeat(1_000_000))))).toEqual(
      Array.from({ length: 8 }, () => 'accepted'),
    );
    await firstValueFrom(process.closeStdin());
    expect(outcomeOf(await over).stdout.trim()).toBe('8000000');
  });

  it('interrupts', async () => {
    const { process, over, events } = await hold(
      sh('trap "echo got; exit 4" INT; echo up; while :; do sleep 0.02; done'),
    );
    await until(() => textOf(events, 'stdout') === 'up\n', 'its first line');
    await firstValueFrom(process.signal('interrupt'));
    expect(outcomeOf(await over)).toEqual({ stdout: 'up\ngot\n', stderr: '', exitCode: 4 });
    await firstValueFrom(process.signal('interrupt'));
  });

  it('terminates at once without grace, and says whether there was anything to end', async () => {
    const { process, over } = await hold(sh('trap "" TERM; echo up; sleep 300'));
    expect(await firstValueFrom(process.terminate())).toBe(true);
    expect(outcomeOf(await over).exitCode).toBe(137);
    expect(await firstValueFrom(process.terminate())).toBe(false);
  });

  const TRAPPED = 'trap "echo term; exit 5" TERM; echo up; while :; do sleep 0.02; done';
  const IGNORING = 'trap "" TERM; echo up; while :; do sleep 0.02; done';
  it.each<[string, string, Grace, number, string]>([
    ['by the end of its input', 'cat; echo bye', { inputMs: LONG_MS, termMs: LONG_MS }, 0, 'bye\n'],
    ['when it is asked to', TRAPPED, { inputMs: 50, termMs: LONG_MS }, 5, 'up\nterm\n'],
    ['when it ignores that', IGNORING, { inputMs: 50, termMs: 50 }, 137, 'up\n'],
  ])('terminates with grace: %s', async (_, script, grace, exitCode, stdout) => {
    const { process, over, events } = await hold(sh(script), { stdin: 'pipe', grace });
    if (stdout.startsWith('up')) await until(() => textOf(events, 'stdout') === 'up\n', 'its first line');
    expect(await firstValueFrom(process.terminate())).toBe(true);
    expect(outcomeOf(await over)).toMatchObject({ stdout, exitCode });
  });

  it('asks a process to end when nobody listens any more', async () => {
    const script = 'trap "echo asked >> asked; exit" TERM; echo $$; while :; do sleep 0.02; done';
    const { running, events } = await hold(sh(script), { grace: { inputMs: 20, termMs: LONG_MS } });
    await until(() => textOf(events, 'stdout').endsWith('\n'), 'its id');
    const pid = hostPid(Number(textOf(events, 'stdout')), folder);
    running.unsubscribe();
    await gone([pid], patienceMs);
    expect(readFileSync(join(folder, 'asked'), 'utf8')).toBe('asked\n');
  });

  it('ends with grace when nobody listens any more, grandchildren too', async () => {
    const script = 'trap exit TERM; (trap "" TERM; sleep 300) & echo $$; echo $!; while :; do sleep 0.02; done';
    const { running, events } = await hold(sh(script), { grace: { inputMs: 20, termMs: 200 } });
    await until(() => textOf(events, 'stdout').split('\n').length === 3, 'both ids');
    const own = textOf(events, 'stdout').trim().split('\n').map(Number);
    const pids = own.map((pid) => hostPid(pid, folder));
    expect(pids.map(isAlive)).toEqual([true, true]);
    running.unsubscribe();
    await gone(pids, patienceMs);
  });

  it('answers a read from the retained output, after a seq, in pages', async () => {
    const script = sh('for i in 1 2 3; do echo $i; read -r go; done; exit 3');
    const { process, events } = await hold(script, { keepMs: LONG_MS, stdin: 'pipe' });
    for (const lines of ['1\n', '1\n2\n', '1\n2\n3\n']) {
      await until(() => textOf(events, 'stdout') === lines, lines);
      await sendTo(process, '\n');
    }
    const all = await pageOf(process, { waitMs: LONG_MS, afterSeq: 4 });
    expect(all).toMatchObject({ chunks: [], exited: true, exitCode: 3, failure: null });
    const whole = await pageOf(process);
    expect(textIn(whole)).toBe('1\n2\n3\n');
    expect(whole.evicted).toBeUndefined();
    const first = await pageOf(process, { maxBytes: 0 });
    expect([textIn(first), first.nextSeq]).toEqual(['1\n', 2]);
    expect(textIn(await pageOf(process, { afterSeq: 1 }))).toBe('2\n3\n');
    expect((await pageOf(process, { afterSeq: 99 })).chunks).toEqual([]);
  });

  it('completes when its output is kept no longer', async () => {
    const { over } = await hold(sh(':'), { keepMs: 20 });
    expect(outcomeOf(await over)).toEqual({ stdout: '', stderr: '', exitCode: 0 });
  });

  it('lets a read wait for output, for the exit and for the close, no longer than it wants to', async () => {
    const script = 'read -r go; echo one; read -r go; (until [ -e read ]; do sleep 0.02; done) & exit 0';
    const { process } = await hold(sh(script), { keepMs: LONG_MS, stdin: 'pipe' });
    expect(await pageOf(process, { waitMs: 10 })).toEqual({
      chunks: [],
      nextSeq: 1,
      exited: false,
      exitCode: null,
      closed: false,
      failure: null,
    });
    const waiting = async (from: Partial<ReadRequest>, goOn: () => unknown) => {
      const page = pageOf(process, { ...from, waitMs: LONG_MS });
      await goOn();
      return page;
    };
    const answer = () => sendTo(process, '\n');
    expect(textIn(await waiting({}, answer))).toBe('one\n');
    expect(await waiting({ afterSeq: 1 }, answer)).toMatchObject({ exited: true, closed: false });
    const closes = () => writeFileSync(join(folder, 'read'), '');
    expect(await waiting({ afterSeq: 2 }, closes)).toMatchObject({ exited: true, closed: true });
  });

  it('keeps the newest output and says what it does not keep any more', async () => {
    const { process, events, running } = await hold(sh('head -c 3000000 /dev/zero; echo END; exec sleep 300'));
    await until(() => textOf(events, 'stdout').endsWith('END\n'), 'the end of its output');
    const page = await pageOf(process);
    const size = page.chunks.reduce((sum, { chunk }) => sum + chunk.length, 0);
    expect(size).toBeGreaterThan(900_000);
    expect(size).toBeLessThanOrEqual(1_048_576);
    expect(page.evicted).toEqual({ throughSeq: (page.chunks[0]?.seq as number) - 1, bytes: 3_000_004 - size });
    expect(textIn(page).endsWith('END\n')).toBe(true);
    running.unsubscribe();
  });

  it(
    'runs 100 at once',
    async () => {
      const all = await Promise.all(
        Array.from({ length: 100 }, (_, i) => run(sh(`echo o${i}; echo e${i} >&2; exit ${i}`))),
      );
      expect(all.map(outcomeOf)).toEqual(all.map((_, i) => ({ stdout: `o${i}\n`, stderr: `e${i}\n`, exitCode: i })));
    },
    MANY_MS,
  );

  it('makes the process wait while the reader is slow, and go on when it is not', async () => {
    const { reader, backpressure, drain$ } = slowReader();
    const seen = { bytes: 0 };
    const running = start(['yes'], {}, open(backpressure)).subscribe((event) => {
      if (event.kind !== 'output') return;
      if (seen.bytes === 0) reader.long = true;
      seen.bytes += event.chunk.length;
    });
    await until(() => seen.bytes > 0, 'output');
    const held = await settled(() => seen.bytes);
    reader.long = false;
    drain$.next();
    await until(() => seen.bytes > held + 1_000_000, 'more output');
    running.unsubscribe();
  });

  it('emits all of a process that ended while the reader was slow', async () => {
    const { reader, backpressure, drain$ } = slowReader();
    reader.long = true;
    const draining = setInterval(() => drain$.next(), 1);
    const script = 'head -c 200000 /dev/zero; echo end >&2; exit 4';
    const events = await lastValueFrom(start(sh(script), {}, open(backpressure)).pipe(toArray()));
    clearInterval(draining);
    const { stdout, ...rest } = outcomeOf(events);
    expect([stdout.length, rest]).toEqual([200_000, { stderr: 'end\n', exitCode: 4 }]);
  });
};
