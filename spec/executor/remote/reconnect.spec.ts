/** What becomes of processes, and of what was asked, when the connection to their exec-server is lost and made again. */
import {
  asyncScheduler,
  concatMap,
  connect,
  defer,
  EMPTY,
  ignoreElements,
  last,
  map,
  merge,
  NEVER,
  type Observable,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { RunHelpers } from 'rxjs/internal/testing/TestScheduler';
import type { Process, Started } from '../../../src/executor/backend';
import type { ExecTransport } from '../../../src/executor/remote/execTransport';
import { remoteBackend } from '../../../src/executor/remote/remoteBackend';
import { TransportError } from '../../../src/executor/transportError';
import type { ExecMessage, ExecOutgoing } from '../../../src/protocol/exec/codec';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { silentLog } from '../../../src/protocol/log';
import { marbles } from '../../support/marbles';
import { closed, exited, failed, gap, output } from '../events';

const spec = { argv: ['p'], cwd: '/', env: {}, stdin: 'pipe' as const };
const result = (id: number, value: unknown): ExecMessage => ({ kind: 'response', id, result: value });
const refusal = (id: number, code: number, message: string): ExecMessage => ({
  kind: 'response',
  id,
  error: { code, message },
});
const notificationOf = (method: string, params: object): ExecMessage => ({
  kind: 'notification',
  method: `process/${method}`,
  params: { processId: 'codex-rx-1', ...params },
});
const chunk = (seq: number, text = String(seq)) => ({
  seq,
  stream: 'stdout',
  chunk: Buffer.from(text).toString('base64'),
});
const page = (own: object) => ({ nextSeq: 1, exited: false, exitCode: null, closed: false, failure: null, ...own });

/** Numbers count what we ask: 2 the first initialize, 3 the start, then in the order of the story. */
const received: Record<string, ExecMessage> = {
  i: result(2, { sessionId: 's' }),
  s: result(3, { processId: 'codex-rx-1' }),
  1: notificationOf('output', chunk(1)),
  4: notificationOf('output', chunk(4)),
  x: notificationOf('exited', { seq: 5, exitCode: 0 }),
  z: notificationOf('closed', { seq: 6 }),
};
const events: Record<string, Started | ProcessEvent> = {
  S: { kind: 'started', process: expect.anything() },
  A: output(1),
  B: output(2),
  C: output(3),
  D: output(4),
  X: exited(5),
  Z: closed(6),
};

/** A message that leaves, in words: its method and what distinguishes it from others of its kind. */
const wordsFor = (message: ExecOutgoing): string => {
  if (message.kind === 'response') return 'answer';
  const { resumeSessionId, afterSeq, writeId } = message.params as Record<string, unknown>;
  return [message.method.replace('process/', ''), resumeSessionId ?? afterSeq ?? writeId ?? ''].join(' ').trim();
};

/** One connection after the other; `sent` are the messages sent on each. */
const roads = (...connections: Observable<ExecMessage>[]) => {
  const sent: string[][] = [];
  const transport: ExecTransport = (out$) =>
    defer(() => {
      const words: string[] = [];
      const road$ = connections[sent.length] ?? NEVER;
      sent.push(words);
      const listen$ = out$.pipe(
        tap((message) => words.push(wordsFor(message))),
        ignoreElements(),
      );
      return road$.pipe(connect((in$) => merge(in$, listen$.pipe(takeUntil(in$.pipe(last(null, null)))))));
    });
  return { sent, transport };
};

const backendOn = (transport: ExecTransport, reconnectForMs = 25_000) =>
  remoteBackend({
    transport,
    clientName: 'c',
    log: silentLog,
    clockMs: () => asyncScheduler.now(),
    idleMs: 0,
    reconnectForMs,
  });

describe('remoteBackend whose connection is lost', () => {
  it(
    'comes back to its session and reads what it missed, once and in order',
    marbles(({ cold, flush, expectObservable }) => {
      const first = cold('  -i-s-1-|', received);
      const second = cold(' -r4w-p----x-z', {
        ...received,
        r: result(4, { sessionId: 's' }),
        w: refusal(5, -32602, 'writeId must not be empty'),
        p: result(6, page({ chunks: [chunk(2), chunk(3), chunk(4)], nextSeq: 5 })),
      });
      const expected = '    ---S-A 106ms (BCD)X-(Z|)';
      const { sent, transport } = roads(first, second);
      expectObservable(backendOn(transport).start(spec)).toBe(expected, events);
      flush();
      expect(sent).toEqual([
        ['initialize', 'initialized', 'start'],
        ['initialize s', 'initialized', 'write', 'read 1'],
      ]);
    }),
  );

  it(
    'emits what nobody retains any more, and the end that came meanwhile',
    marbles(({ cold, expectObservable }) => {
      const first = cold('  -i-s-1-#', received);
      const second = cold(' -rw-p', {
        ...received,
        r: result(4, { sessionId: 's' }),
        w: refusal(5, -32602, 'writeId must not be empty'),
        p: result(6, page({ chunks: [chunk(4)], nextSeq: 7, exited: true, exitCode: 0, closed: true })),
      });
      const expected = '    ---S-A 105ms (GDXZ|)';
      const { transport } = roads(first, second);
      expectObservable(backendOn(transport).start(spec)).toBe(expected, { ...events, G: gap(3, 2) });
    }),
  );

  it(
    'tries again while the server has not missed the connection of before, and waits longer each time',
    marbles(({ cold, flush, expectObservable }) => {
      const first = cold('    -i-s-1-|', received);
      const attached = (id: number) => cold('-a', { a: refusal(id, -32010, 'attached elsewhere') });
      const refused = cold('  -#', received, new Error('ECONNREFUSED'));
      const last = cold('     -rw-p--x-z', {
        r: result(7, { sessionId: 's' }),
        w: refusal(8, -32602, 'writeId must not be empty'),
        p: result(9, page({ nextSeq: 2 })),
        x: notificationOf('exited', { seq: 2, exitCode: 0 }),
        z: notificationOf('closed', { seq: 3 }),
      });
      const expected = '      ---S-A 1511ms X-(Z|)';
      const { sent, transport } = roads(first, attached(4), attached(5), refused, last);
      expectObservable(backendOn(transport).start(spec)).toBe(expected, { ...events, X: exited(2), Z: closed(3) });
      flush();
      expect(sent.map(([hello]) => hello)).toEqual(['initialize', ...Array(4).fill('initialize s')]);
    }),
  );

  it(
    'fails when the server does not know the session any more, with its reason',
    marbles(({ cold, expectObservable }) => {
      const first = cold('  -i-s-1-|', received);
      const second = cold(' -u', { u: refusal(4, -32600, 'unknown session id s') });
      const expected = '    ---S-A 102ms (F|)';
      const { transport } = roads(first, second);
      expectObservable(backendOn(transport).start(spec)).toBe(expected, {
        ...events,
        F: failed(2, 'the session is lost: unknown session id s'),
      });
    }),
  );

  it(
    'fails when there is no way back in time',
    marbles(({ cold, expectObservable }) => {
      const first = cold('  -i-s-1-|', received);
      const none = () => cold<ExecMessage>('#', {}, new Error('ECONNREFUSED'));
      const expected = '    ---S-A 301ms (F|)';
      const { transport } = roads(first, none(), none(), none(), none());
      expectObservable(backendOn(transport, 500).start(spec)).toBe(expected, {
        ...events,
        F: failed(2, 'the exec-server could not be reached again within 0.5 s: ECONNREFUSED'),
      });
    }),
  );

  it(
    'fails at once if there is nothing to come back to',
    marbles(({ cold, expectObservable }) => {
      const { transport } = roads(cold('-i-s-1-|', received));
      expectObservable(backendOn(transport, 0).start(spec)).toBe('---S-A-(F|)', {
        ...events,
        F: failed(2, 'the connection to the exec-server was lost'),
      });
    }),
  );
});

describe('a question whose connection is lost before its answer', () => {
  /** What becomes of `ask` at 5, when the connection is lost at 7; on the next, `answer` is what the server says. */
  const fateOf = (
    { cold, expectObservable, flush }: RunHelpers,
    ask: (process: Process) => Observable<unknown>,
    answers: Record<string, ExecMessage>,
    expected: string,
    values: Record<string, unknown>,
    error?: unknown,
  ) => {
    const first = cold(' -i-s---|', received);
    const second = cold('-rw-a', { r: result(5, { sessionId: 's' }), ...answers });
    const { sent, transport } = roads(first, second);
    const start$ = backendOn(transport).start(spec);
    expectObservable(start$.pipe(concatMap((event) => (event.kind === 'started' ? ask(event.process) : EMPTY)))).toBe(
      expected,
      values,
      error,
    );
    flush();
    return sent[1];
  };
  const known = { w: refusal(6, -32602, 'writeId must not be empty') };
  const unknown = { w: result(6, { status: 'unknownProcess' }) };

  it(
    'is asked again under its id, when it is a write and the server knows writes by their ids',
    marbles((helpers) => {
      const answers = { ...known, a: result(7, { status: 'accepted' }) };
      const write = (process: Process) => process.write(Buffer.from('x'));
      const sent = fateOf(helpers, write, answers, '111ms A', { A: 'accepted' });
      expect(sent).toEqual(['initialize s', 'initialized', 'write', 'write 1', 'read 0']);
    }),
  );

  it(
    'is not asked again, when it is a write and the server does not know those it had',
    marbles((helpers) => {
      const words =
        'the connection to the exec-server was lost before it answered process/write: whether it was done is not known';
      const write = (process: Process) => process.write(Buffer.from('x'));
      const sent = fateOf(helpers, write, unknown, '109ms #', {}, new TransportError('ambiguous', words));
      expect(sent?.filter((words) => words === 'write 1')).toEqual([]);
    }),
  );

  it(
    'is asked again, when it is a read',
    marbles((helpers) => {
      const whole = page({ chunks: [], nextSeq: 1 });
      const read = (process: Process) => process.read({ afterSeq: 7, waitMs: 9 });
      const sent = fateOf(helpers, read, { ...unknown, a: result(7, whole) }, '111ms P', { P: whole });
      expect(sent).toContain('read 7');
    }),
  );

  it(
    'is given up, when it is a signal',
    marbles((helpers) => {
      const words =
        'the connection to the exec-server was lost before it answered process/signal: whether it was done is not known';
      const signal = (process: Process) => process.signal('interrupt');
      const sent = fateOf(helpers, signal, known, '109ms #', {}, new TransportError('ambiguous', words));
      expect(sent).not.toContain('signal');
    }),
  );

  it(
    'is asked for the first time, when it came while there was no connection',
    marbles((helpers) => {
      const signal = (process: Process) =>
        timer(20).pipe(
          concatMap(() => process.signal('interrupt')),
          map(() => 'sent'),
        );
      const answers = {
        r: result(4, { sessionId: 's' }),
        w: refusal(5, -32602, 'writeId must not be empty'),
        a: result(6, {}),
      };
      const sent = fateOf(helpers, signal, answers, '111ms A', { A: 'sent' });
      expect(sent?.filter((words) => words === 'signal')).toHaveLength(1);
    }),
  );

  it(
    'is asked again, when it is a start, which has happened if its name is taken',
    marbles(({ cold, expectObservable }) => {
      const first = cold('  -i---|', received);
      const second = cold(' -rw-tk 50ms lpz', {
        r: result(4, { sessionId: 's' }),
        w: refusal(5, -32602, 'writeId must not be empty'),
        t: refusal(6, -32600, 'process codex-rx-1 already exists'),
        k: refusal(7, -32600, 'process id codex-rx-1 is starting'),
        l: result(8, page({})),
        p: result(9, page({})),
        z: notificationOf('closed', { seq: 1 }),
      });
      const expected = '    161ms S-(Z|)';
      const { transport } = roads(first, second);
      expectObservable(backendOn(transport).start(spec)).toBe(expected, { ...events, Z: closed(1) });
    }),
  );
});
