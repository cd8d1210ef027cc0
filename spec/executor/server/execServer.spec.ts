import { concat, NEVER, of, Subject } from 'rxjs';
import type { Process, Started } from '../../../src/executor/backend';
import { type Ended, execServer } from '../../../src/executor/server/execServer';
import { decodeExecMessage, type ExecMessage, type ExecOutgoing } from '../../../src/protocol/exec/codec';
import type { OutputPage, ProcessEvent } from '../../../src/protocol/exec/process';
import { marbles } from '../../support/marbles';
import { closed, exited, failed, output } from '../events';
import {
  ask,
  BROKEN,
  calm,
  depsOf,
  GREETED,
  HELLO,
  LIMITS,
  note,
  notificationOf,
  refusal,
  result,
  startOf,
  startsOf,
} from './support';

const b64 = (text: string) => Buffer.from(text).toString('base64');
const started = (process = calm): Started => ({ kind: 'started', process });
/** A process that keeps running. */
const runs = (own: Partial<Process>) => concat(of(started({ ...calm, ...own })), NEVER);

const page = (own: Partial<OutputPage> = {}): OutputPage => ({
  chunks: [],
  nextSeq: 1,
  exited: false,
  exitCode: null,
  closed: false,
  failure: null,
  ...own,
});

/** What a server says at once to messages after the handshake, without the answer to that. */
const answersTo = (
  deps: Parameters<typeof execServer>[0],
  ...messages: ExecMessage[]
): (ExecOutgoing | Ended | '|')[] => {
  const outgoing: (ExecOutgoing | Ended | '|')[] = [];
  const message$ = new Subject<ExecMessage>();
  const running = message$.pipe(execServer(deps)).subscribe({
    next: (message) => outgoing.push(message),
    complete: () => outgoing.push('|'),
  });
  for (const message of [HELLO.i, HELLO.n, ...messages]) message$.next(message);
  running.unsubscribe();
  return outgoing.slice(1);
};

describe('execServer', () => {
  it(
    'sends the events of a process in order, after the response to its start; evicts it 30 s after its close',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const life$ = cold(' (so)-x-p-z', {
        s: started(),
        o: output(1, 'a'),
        x: exited(2, 3),
        p: output(3, 'b', 'stderr'),
        z: closed(4),
      } as Record<string, Started | ProcessEvent>);
      const in$ = hot('   -i-n-s-------------', { ...HELLO, s: ask(1, 'process/start', startOf('p')) });
      const expected = '  -I---(SO)-X-P-Z----';
      const sub = '       -----^-------------';
      expectObservable(in$.pipe(execServer(depsOf(() => life$)))).toBe(expected, {
        ...GREETED,
        S: result(1, { processId: 'p' }),
        O: notificationOf('process/output', { processId: 'p', seq: 1, stream: 'stdout', chunk: b64('a') }),
        X: notificationOf('process/exited', { processId: 'p', seq: 2, exitCode: 3 }),
        P: notificationOf('process/output', { processId: 'p', seq: 3, stream: 'stderr', chunk: b64('b') }),
        Z: notificationOf('process/closed', { processId: 'p', seq: 4 }),
      });
      expectSubscriptions(life$.subscriptions).toBe(sub);
    }),
  );

  it(
    'sends what a process does right after the response to its start',
    marbles(({ hot, cold, expectObservable }) => {
      const events = { s: started(), o: output(1, 'a'), p: output(2, 'b'), z: closed(3) };
      const life$ = cold('    (so)p---(z|)', events as Record<string, Started | ProcessEvent>);
      const in$ = hot('   (in)s-----', { ...HELLO, s: ask(1, 'process/start', startOf('p')) });
      const expected = '  I---(SO)P---Z';
      expectObservable(in$.pipe(execServer(depsOf(() => life$)))).toBe(expected, {
        ...GREETED,
        S: result(1, { processId: 'p' }),
        O: notificationOf('process/output', { processId: 'p', seq: 1, stream: 'stdout', chunk: b64('a') }),
        P: notificationOf('process/output', { processId: 'p', seq: 2, stream: 'stdout', chunk: b64('b') }),
        Z: notificationOf('process/closed', { processId: 'p', seq: 3 }),
      });
    }),
  );

  it(
    'answers each request when it is done: neither a long poll nor a full stdin holds up another',
    marbles(({ hot, cold, expectObservable }) => {
      const read = () => cold('-----------(p|)', { p: page() });
      const write = () => cold('-------(s|)', { s: 'stdinClosed' as const });
      const start = () => cold('s---', { s: started({ ...calm, read, write }) });
      const in$ = hot(' (in)s-r-w-t------', {
        ...HELLO,
        s: ask(1, 'process/start', startOf('p', { pipeStdin: true })),
        r: ask(2, 'process/read', { processId: 'p', waitMs: 11 }),
        w: ask(3, 'process/write', { processId: 'p', chunk: b64('x'), writeId: '1' }),
        t: ask(4, 'process/terminate', { processId: 'p' }),
      });
      const expected = 'I---S-----T----W-R';
      expectObservable(in$.pipe(execServer(depsOf(start)))).toBe(expected, {
        ...GREETED,
        S: result(1, { processId: 'p' }),
        R: result(2, { ...page(), sandboxDenied: false }),
        W: result(3, { status: 'stdinClosed' }),
        T: result(4, { running: true }),
      });
    }),
  );

  it.each<[string, ExecMessage]>([
    ['an unknown notification', note('no/such')],
    ['a request without an id', note('process/terminate', { processId: 'p' })],
    ['an answer to nothing', { kind: 'response', id: 9, result: {} }],
  ])('ends with its processes after %s', (_, x) =>
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const life$ = cold('s---', { s: started() });
      const in$ = hot(' (in)s-x-t', {
        ...HELLO,
        s: ask(1, 'process/start', startOf('p')),
        x,
        t: ask(2, 'process/terminate', { processId: 'p' }),
      });
      const expected = 'I---S-(x|)';
      const sub = '     ----^-!';
      expectObservable(in$.pipe(execServer(depsOf(() => life$)))).toBe(expected, {
        ...GREETED,
        S: result(1, { processId: 'p' }),
        x: BROKEN,
      });
      expectSubscriptions(life$.subscriptions).toBe(sub);
    })(),
  );

  it(
    'ends with its processes when there is no more to come, and when nobody listens',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const life$ = cold('s---', { s: started() });
      const messages = { ...HELLO, s: ask(1, 'process/start', startOf('p')) };
      const sent = { ...GREETED, S: result(1, { processId: 'p' }) };
      expectObservable(hot('(in)s-|', messages).pipe(execServer(depsOf(() => life$)))).toBe('I---S-|', sent);
      expectObservable(hot('(in)s--', messages).pipe(execServer(depsOf(() => life$))), '------!').toBe('I---S--', sent);
      expectSubscriptions(life$.subscriptions).toBe(['----^-!', '----^-!']);
    }),
  );

  it(
    'wants a handshake, once, in its order',
    marbles(({ hot, expectObservable }) => {
      const start = ask(1, 'process/start', startOf('p'));
      const in$ = hot(' s-c-u-i-s-j-n-n-e-x-y', {
        ...HELLO,
        s: start,
        c: ask(2, 'initialize', {}),
        u: ask(3, 'initialize', { clientName: 'c', resumeSessionId: 'gone' }),
        j: ask(4, 'initialize', { clientName: 'c', resumeSessionId: null }),
        e: ask(5, 'environment/info', null),
        x: ask(6, 'no/such'),
        y: ask(7, 'environment/status'),
      });
      const expected = 'A-B-C-I-D-E-----F-G-H';
      expectObservable(in$.pipe(execServer(depsOf(() => NEVER)))).toBe(expected, {
        ...GREETED,
        A: refusal(1, -32600, 'client must call initialize before using exec methods'),
        B: refusal(2, -32602, 'missing field `clientName`'),
        C: refusal(3, -32600, 'unknown session id gone'),
        D: refusal(1, -32600, 'client must send initialized before using exec methods'),
        E: refusal(4, -32600, 'initialize may only be sent once per connection'),
        F: result(5, {
          shell: { name: 'sh', path: '/bin/sh' },
          executorVersion: '1.2.3',
          cwd: 'file:///w%20o',
          userHomeDir: 'file:///h',
          platformOs: 'linux',
          prependPathDirs: [],
          temporaryDirectories: [],
          tempDir: 'file:///t',
          capabilities: { fileWriteStreaming: true },
        }),
        G: refusal(6, -32601, 'exec-server stub does not implement `no/such` yet'),
        H: result(7, { status: 'ready' }),
      });
      expectObservable(hot('-n-i', HELLO).pipe(execServer(depsOf(() => NEVER)))).toBe('-(x|)', { x: BROKEN });
    }),
  );

  it('answers what is not a message with id -1', () => {
    const [first] = answersTo(
      depsOf(() => NEVER),
      decodeExecMessage('not json'),
    );
    expect(first).toMatchObject({ id: -1, error: { code: -32600, message: /^failed to parse JSON-RPC/ } });
  });

  it('refuses a second process of one name, more than it may run, and frees the name of one that did not start', () => {
    const limits = { ...LIMITS, maxProcesses: 1 };
    const one = ask(1, 'process/start', startOf('p'));
    expect(
      answersTo(
        depsOf(() => NEVER, { limits }),
        one,
        one,
        ask(2, 'process/start', startOf('q')),
      ),
    ).toEqual([
      refusal(1, -32600, 'process p already exists'),
      refusal(2, -32600, 'too many processes: 1 run already'),
    ]);
    const start = () => of(failed(1, 'prog: No such file or directory (os error 2)'));
    const message = 'No such file or directory (os error 2)';
    const none = { kind: 'response', id: 1, error: { code: -32603, message, data: { reason: `prog: ${message}` } } };
    expect(answersTo(depsOf(start), one, one)).toEqual([none, none]);
  });

  it('answers for a process that is starting, and takes its start back', () => {
    const life$ = new Subject<Started | ProcessEvent>();
    const outgoing: (ExecOutgoing | Ended)[] = [];
    const in$ = new Subject<ExecMessage>();
    in$.pipe(execServer(depsOf(() => life$))).subscribe((message) => outgoing.push(message));
    const params = { processId: 'p', chunk: b64('x'), writeId: '1' };
    for (const message of [
      HELLO.i,
      HELLO.n,
      ask(1, 'process/start', startOf('p')),
      ask(2, 'process/write', params),
      ask(3, 'process/read', params),
      ask(4, 'process/closeStdin', params),
      ask(5, 'process/terminate', params),
    ]) {
      in$.next(message);
    }
    life$.next(started());
    expect(outgoing.slice(1)).toEqual([
      result(2, { status: 'starting' }),
      refusal(3, -32600, 'process id p is starting'),
      result(4, { status: 'starting' }),
      result(5, { running: true }),
      refusal(1, -32600, 'process p start was cancelled'),
    ]);
    expect(life$.observed).toBe(false);
  });

  it('writes each writeId once, and not more than may wait', () => {
    const write = jest.fn((_: Uint8Array) => NEVER);
    const limits = { ...LIMITS, maxPendingBytes: 3 };
    const send = (id: number, text: string, writeId: string) =>
      ask(id, 'process/write', { processId: 'p', chunk: b64(text), writeId });
    const asked = [send(2, 'ab', '1'), send(3, 'ab', '1'), send(4, 'ab', '2'), send(5, 'c', '3'), send(6, 'c', '')];
    expect(
      answersTo(
        depsOf(() => runs({ write }), { limits }),
        ask(1, 'process/start', startOf('p')),
        ...asked,
      ),
    ).toEqual([
      result(1, { processId: 'p' }),
      refusal(4, -32600, 'stdin is full: 2 bytes wait for the process to read them'),
      refusal(6, -32602, 'writeId must not be empty'),
    ]);
    expect(write.mock.calls.map(([bytes]) => String(bytes))).toEqual(['ab']); // c waits for it
  });

  it(
    'answers a repeated write with the result of the first, and lets it wait as long',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const status$ = cold('-----(c|)', { c: 'stdinClosed' as const });
      const in$ = hot(' (in)s-w-v--------u', {
        ...HELLO,
        s: ask(1, 'process/start', startOf('p')),
        w: ask(2, 'process/write', { processId: 'p', chunk: b64('x'), writeId: '1' }),
        v: ask(3, 'process/write', { processId: 'p', chunk: b64('x'), writeId: '1' }),
        u: ask(4, 'process/write', { processId: 'p', chunk: b64('x'), writeId: '1' }),
      });
      const expected = 'I---S------(WV)--U';
      const sub = '     ------^----!';
      expectObservable(in$.pipe(execServer(depsOf(() => runs({ write: () => status$ }))))).toBe(expected, {
        ...GREETED,
        S: result(1, { processId: 'p' }),
        ...Object.fromEntries(['W', 'V', 'U'].map((letter, i) => [letter, result(i + 2, { status: 'stdinClosed' })])),
      });
      expectSubscriptions(status$.subscriptions).toBe(sub);
    }),
  );

  it(
    'closes the input after what waits to be written',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const taken$ = cold('-----(a|)', { a: 'accepted' as const });
      const shut$ = cold(' --(a|)', { a: 'accepted' as const });
      const in$ = hot(' (in)s-w-c', {
        ...HELLO,
        s: ask(1, 'process/start', startOf('p')),
        w: ask(2, 'process/write', { processId: 'p', chunk: b64('x'), writeId: '1' }),
        c: ask(3, 'process/closeStdin', { processId: 'p' }),
      });
      const expected = 'I---S------W-C';
      const shut = '    -----------^-!';
      const process = runs({ write: () => taken$, closeStdin: () => shut$ });
      expectObservable(in$.pipe(execServer(depsOf(() => process)))).toBe(expected, {
        ...GREETED,
        S: result(1, { processId: 'p' }),
        W: result(2, { status: 'accepted' }),
        C: result(3, { status: 'accepted' }),
      });
      expectSubscriptions(shut$.subscriptions).toBe(shut);
    }),
  );

  it('wants an id of each write from a client that names folders by URIs, as those after 0.130.0 do', () => {
    const deps = depsOf(() => runs({}));
    const write = ask(2, 'process/write', { processId: 'p', chunk: b64('x') });
    const old = answersTo(deps, ask(1, 'process/start', startOf('p')), write, write);
    expect(old.slice(1)).toEqual([result(2, { status: 'accepted' }), result(2, { status: 'accepted' })]);
    const late = answersTo(deps, ask(1, 'process/start', startOf('p', { cwd: 'file:///' })), write);
    expect(late.slice(1)).toEqual([refusal(2, -32602, 'missing field `writeId`')]);
  });

  it.each([
    ['***', 'Invalid symbol 42, offset 0.'],
    ['YQ', 'Invalid padding'],
    ['Y=Q=', 'Invalid padding'],
  ])('refuses to write %s', (chunk, message) => {
    const asked = ask(2, 'process/write', { processId: 'p', chunk, writeId: '1' });
    expect(
      answersTo(
        depsOf(() => NEVER),
        asked,
      ),
    ).toEqual([refusal(2, -32602, message)]);
  });

  it('answers for processes it does not know', () => {
    const params = { processId: 'p', chunk: '', writeId: '1', signal: 'interrupt' };
    const asked = ['read', 'write', 'closeStdin', 'signal', 'terminate'].map((name, i) =>
      ask(i, `process/${name}`, params),
    );
    expect(
      answersTo(
        depsOf(() => NEVER),
        ...asked,
      ),
    ).toEqual([
      refusal(0, -32600, 'unknown process id p'),
      result(1, { status: 'unknownProcess' }),
      result(2, { status: 'unknownProcess' }),
      result(3, {}),
      result(4, { running: false }),
    ]);
  });

  it('starts what it was asked to', () => {
    const { start, specs } = startsOf(() => NEVER);
    const policy = { inherit: 'all', ignoreDefaultExcludes: false, exclude: ['h*'], set: { A: '1' }, includeOnly: [] };
    answersTo(
      depsOf(start),
      ask(
        1,
        'process/start',
        startOf('p', { cwd: 'file:///a%20b', env: { A: '2' }, arg0: 'x', tty: true, pipeStdin: true }),
      ),
      ask(2, 'process/start', startOf('q', { envPolicy: policy, env: { B: '3' }, grace: { inputMs: 1, termMs: 2 } })),
    );
    expect(specs).toEqual([
      {
        argv: ['prog'],
        cwd: '/a b',
        env: { A: '2' },
        arg0: 'x',
        tty: true,
        stdin: 'pipe',
        keepMs: 30_000,
        processId: 'p',
      },
      {
        argv: ['prog'],
        cwd: '/',
        env: { PATH: '/p', A: '1', B: '3' },
        grace: { inputMs: 1, termMs: 2 },
        keepMs: 30_000,
        processId: 'q',
      },
    ]);
  });

  it.each<[Record<string, unknown>, number, string]>([
    [{ processId: undefined }, -32602, 'missing field `processId`'],
    [{ argv: undefined }, -32602, 'missing field `argv`'],
    [{ tty: undefined }, -32602, 'missing field `tty`'],
    [{ argv: 'true' }, -32602, 'invalid type: string "true", expected a sequence'],
    [{ env: { A: 1 } }, -32602, 'invalid type: number `1`, expected a string'],
    [{ env: null }, -32602, 'invalid type: null, expected a map'],
    [{ argv: [] }, -32602, 'argv must not be empty'],
    [{ argv: [''] }, -32603, 'missing program for pipe spawn'],
    [{ cwd: 'a' }, -32602, 'path is not absolute: a'],
    [{ cwd: 'https://x/' }, -32602, 'unsupported path URI scheme `https`'],
    [{ cwd: 'file:///%ff' }, -32602, 'invalid URI: file:///%ff'],
    [{ sandbox: { permissions: { type: 'managed' } } }, -32602, 'missing field `file_system`'],
    [
      { enforceManagedNetwork: true },
      -32603,
      'this exec-server does not support enforceManagedNetwork: it has no proxy for a managed network',
    ],
    [{ envPolicy: { inherit: 'some' } }, -32602, 'unknown variant `some`, expected one of `core`, `all`, `none`'],
    [{ envPolicy: { inherit: 'all' } }, -32602, 'missing field `ignoreDefaultExcludes`'],
  ])('refuses to start %j', (own, code, message) => {
    expect(
      answersTo(
        depsOf(() => NEVER),
        ask(1, 'process/start', startOf('p', own)),
      ),
    ).toEqual([refusal(1, code, message)]);
  });

  it('reads a page, and reports what is no longer retained', () => {
    const chunks = [{ seq: 8, stream: 'stderr' as const, chunk: Buffer.from('x') }];
    const read = jest.fn(() => of(page({ chunks, nextSeq: 9, evicted: { throughSeq: 7, bytes: 70 } })));
    const asked = ask(2, 'process/read', { processId: 'p', afterSeq: 3, maxBytes: 5, waitMs: null });
    expect(
      answersTo(
        depsOf(() => runs({ read })),
        ask(1, 'process/start', startOf('p')),
        asked,
      )[1],
    ).toEqual(
      result(2, {
        ...page({ nextSeq: 9 }),
        evictedThrough: 7,
        evictedBytes: 70,
        chunks: [{ seq: 8, stream: 'stderr', chunk: b64('x') }],
        sandboxDenied: false,
      }),
    );
    expect(read.mock.calls).toEqual([[{ afterSeq: 3, maxBytes: 5, waitMs: 0 }]]);
  });
});
