import fc from 'fast-check';
import { EMPTY, from, lastValueFrom, NEVER, of, toArray } from 'rxjs';
import type { Backend, Started } from '../../src/executor/backend';
import { LAGGED, type Lagged } from '../../src/executor/lag/recoverLag';
import { childTransport, type ProcessTransportDeps, processTransport } from '../../src/executor/processTransport';
import { TransportError } from '../../src/executor/transportError';
import type { ProcessEvent, WriteStatus } from '../../src/protocol/exec/process';
import { decodeBareMessage } from '../../src/protocol/jsonrpc/decodeMessage';
import type { Notification } from '../../src/protocol/jsonrpc/messages';
import { type LogRecord, silentLog } from '../../src/protocol/log';
import { marbles } from '../support/marbles';
import { cuts, tokenize } from '../support/streams';
import { closed, exited, failed, gap, output, pageOf } from './events';

const note = (method: string): Notification => ({ kind: 'notification', method, params: {} });
const lineOf = (method: string) => `{"jsonrpc":"2.0","method":"${method}"}`;
const [A, B] = [note('a'), note('b')];

const life = {
  1: output(1, `${lineOf('a').slice(0, 9)}`),
  2: output(2, `${lineOf('a').slice(9)}\r\nnot json\n`),
  e: output(3, 'warn', 'stderr'),
  4: output(4, lineOf('b')),
  x: exited(5),
  f: output(6, 'ing\nend', 'stderr'),
  z: closed(7),
} as Record<string, ProcessEvent>;

const LIFE = Object.values(life).sort((a, b) => a.seq - b.seq);

/** What a transport needs, and what it logged above debug. */
const deps = (own: Partial<ProcessTransportDeps>) => {
  const records: LogRecord[] = [];
  const log: ProcessTransportDeps['log'] = (level, message, fields) =>
    level === 'debug' || records.push({ level, message, fields });
  return {
    records,
    deps: {
      event$: NEVER,
      read: () => EMPTY,
      acknowledge: () => EMPTY,
      write: () => of<WriteStatus>('accepted'),
      closeStdin: () => EMPTY,
      log,
      program: 'p',
      ...own,
    },
  };
};
const logged = (line: string) => ({
  level: 'info',
  message: 'a process wrote to its error output',
  fields: { program: 'p', line },
});

describe('processTransport', () => {
  it(
    'logs a line that is no message, and nothing of one that is',
    marbles(({ hot, flush, expectObservable }) => {
      const records: unknown[] = [];
      const log: ProcessTransportDeps['log'] = (...record) => void records.push(record);
      const event$ = hot('-1-2-x-z', life);
      expectObservable(NEVER.pipe(processTransport(deps({ event$, log }).deps))).toBe('---A-|', { A });
      flush();
      const why = expect.stringContaining('Parse error');
      const noMessage = records.filter((record) => JSON.stringify(record).includes('is not a message'));
      expect(noMessage).toEqual([['debug', 'a line of a process is not a message', { program: 'p', why }]]);
    }),
  );

  it(
    'emits the messages of the output, a last one without newline too, and logs the error output by lines',
    marbles(({ hot, flush, expectObservable, expectSubscriptions }) => {
      const event$ = hot(' -1-2-e-4-x-f-z--', life);
      const expected = '   ---A---------(B|)';
      const sub = '        ^------------!';
      const { deps: own, records } = deps({ event$ });
      expectObservable(NEVER.pipe(processTransport(own))).toBe(expected, { A, B });
      expectSubscriptions(event$.subscriptions).toBe(sub);
      flush();
      expect(records).toEqual([logged('warning'), logged('end')]);
    }),
  );

  it(
    'recovers what it missed',
    marbles(({ hot, cold, expectObservable }) => {
      const page$ = cold('   --(p|)', { p: pageOf(LIFE, 1) });
      const event$ = hot(' -1-L----------', { ...life, L: LAGGED } as Record<string, ProcessEvent | Lagged>);
      const expected = '   -----(AB|)';
      expectObservable(NEVER.pipe(processTransport(deps({ event$, read: () => page$ }).deps))).toBe(expected, { A, B });
    }),
  );

  it(
    'makes no message of a line with a hole in it, and emits the hole',
    marbles(({ hot, flush, expectObservable }) => {
      const event$ = hot(' 1-g-2-3-z', {
        1: output(1, '{"jsonrpc":"2.0","method":"a"'),
        g: gap(4, 3),
        2: output(5, `}\n${lineOf('b')}`),
        3: output(6, '\n'),
        z: closed(7),
      });
      const expected = '   --G---B-|';
      const { deps: own, records } = deps({ event$ });
      expectObservable(NEVER.pipe(processTransport(own))).toBe(expected, { B, G: { kind: 'gap' } });
      flush();
      expect(records).toEqual([
        { level: 'warning', message: 'output of a process is lost', fields: { program: 'p', missing: 3 } },
      ]);
    }),
  );

  it(
    'ends when the process failed, and logs the reason',
    marbles(({ hot, flush, expectObservable }) => {
      const event$ = hot(' -1-2-F', { ...life, F: failed(3, 'lost') });
      const expected = '   ---A-|';
      const { deps: own, records } = deps({ event$ });
      expectObservable(NEVER.pipe(processTransport(own))).toBe(expected, { A });
      flush();
      expect(records).toEqual([
        { level: 'warning', message: 'a process failed', fields: { program: 'p', reason: 'lost' } },
      ]);
    }),
  );

  it(
    'writes one message after the other, each when the one before was taken, then closes the input',
    marbles(({ hot, cold, flush, expectObservable, expectSubscriptions }) => {
      const taken$ = cold('    ---(s|)', { s: 'accepted' as const });
      const input$ = cold<WriteStatus>('|');
      const out$ = hot('   -ab---|    ', { a: A, b: B });
      const subs = ['      -^--!', '    ----^--!'];
      const write = jest.fn((_: Uint8Array) => taken$);
      const own = deps({ write, closeStdin: () => input$ }).deps;
      expectObservable(out$.pipe(processTransport(own))).toBe('---');
      expectSubscriptions(taken$.subscriptions).toBe(subs);
      expectSubscriptions(input$.subscriptions).toBe('-------(^!)');
      flush();
      expect(write.mock.calls.map(([bytes]) => String(bytes))).toEqual(
        ['a', 'b'].map((method) => `{"jsonrpc":"2.0","method":"${method}","params":{}}\n`),
      );
    }),
  );

  it(
    'goes on if an input cannot be closed, and logs it',
    marbles(({ hot, cold, flush, expectObservable }) => {
      const out$ = hot('   -a|         ', { a: A });
      const event$ = hot(' --1-2-e-4-x-z', life);
      const expected = '   ----A-------(B|)';
      const closeStdin = () => cold<WriteStatus>('#', {}, new Error('not known here'));
      const { deps: own, records } = deps({ event$, closeStdin, write: () => of('accepted') });
      expectObservable(out$.pipe(processTransport(own))).toBe(expected, { A, B });
      flush();
      const fields = { program: 'p', why: 'not known here' };
      expect(records).toContainEqual({ level: 'info', message: 'the input of a process stays open', fields });
    }),
  );

  it.each([
    ['unknownProcess', 'broken pipe: unknown process'],
    ['stdinClosed', 'broken pipe: stdin closed'],
    ['starting', 'would block: process is starting'],
  ] as const)('fails when a message is refused as %s, after the last output of the process', (status, message) =>
    marbles(({ hot, expectObservable }) => {
      const write = () => of<WriteStatus>(status);
      const error = new TransportError(status, message);
      const event$ = hot('   --1-2----------', life);
      const closing$ = hot(' --1-2-e-4-x-f-z', life);
      const refused = '       ----A 246ms #';
      const closedFirst = '   ----A---------(B|)';
      const out$ = hot('     -a-', { a: A });
      expectObservable(out$.pipe(processTransport(deps({ event$, write }).deps))).toBe(refused, { A }, error);
      expectObservable(out$.pipe(processTransport(deps({ event$: closing$, write }).deps))).toBe(closedFirst, { A, B });
    })(),
  );

  it(
    'reads no lines that are longer than allowed, and the good ones behind them',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' 1-2---z', {
        1: output(1, `"${'x'.repeat(99)}`),
        2: output(2, `"\n${lineOf('b')}\n`),
        z: closed(3),
      });
      const expected = '   --(GB)|';
      const G = { kind: 'gap' };
      expectObservable(NEVER.pipe(processTransport(deps({ event$, maxLineLength: 50 }).deps))).toBe(expected, { B, G });
    }),
  );

  it(
    'leaves the process when nobody listens',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const event$ = hot(' -1-2-e-4-x-f-z', life);
      const stop = '       -----!';
      expectObservable(NEVER.pipe(processTransport(deps({ event$ }).deps)), stop).toBe('---A--', { A });
      expectSubscriptions(event$.subscriptions).toBe('^----!');
    }),
  );

  it('emits the same messages however the bytes are cut', async () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(texts, cuts, fc.constantFrom('\n', '\r\n'), async (methods, places, end) => {
        const bytes = Buffer.from(methods.map((method) => JSON.stringify({ jsonrpc: '2.0', method }) + end).join(''));
        const events = tokenize<Uint8Array>(bytes, places).map(
          (chunk, i): ProcessEvent => ({ kind: 'output', seq: i + 1, stream: 'stdout', chunk }),
        );
        const event$ = from([...events, closed(events.length + 1)]);
        const emitted = await lastValueFrom(NEVER.pipe(processTransport(deps({ event$ }).deps), toArray()));
        expect(emitted).toEqual(methods.map(note));
      }),
    );
  });
});

const process = { write: () => EMPTY, closeInput: () => EMPTY, read: () => NEVER, signal: () => EMPTY };
const outputOf = (stream: 'stdout' | 'stderr', text: string, seq: number): ProcessEvent =>
  ({ kind: 'output', stream, chunk: Buffer.from(text), seq }) as ProcessEvent;

const events = {
  s: { kind: 'started', process } as unknown as Started,
  t: outputOf('stdout', 'Listening with hunter2x\n', 1),
  m: outputOf('stdout', '{"method":"hello","params":{}}\n', 1),
  p: outputOf('stderr', 'GET /hunter2x/hunter3x Authorization: Bearer abcdefgh sk-0123456789', 2),
  u: outputOf('stderr', 'WARNING: proceeding, even though\n', 1),
  n: outputOf('stdout', '{"method":"hello","params":{}}\n', 2),
  w: outputOf('stderr', 'WARNING: proceeding, even though\n', 2),
  e: outputOf('stderr', '\u001b[31mpanicked at main.rs\u001b[0m\n', 2),
  x: { kind: 'exited', exitCode: 101, seq: 3 } as unknown as ProcessEvent,
  c: { kind: 'closed', seq: 4 } as unknown as ProcessEvent,
  f: { kind: 'failed', reason: 'No such file or directory' } as unknown as ProcessEvent,
};
const ports = {
  cwd: '/',
  env: { MY_TOKEN: 'hunter2x' },
  log: silentLog,
  program: 'codex',
  title: 'The codex app-server',
  decode: decodeBareMessage,
};
const T = expect.objectContaining({ kind: 'fault', line: 'Listening with [redacted]' });
const M = { kind: 'notification', method: 'hello', params: {} };

describe('childTransport', () => {
  it.each([
    [
      'emits messages, and errors with the exit code and the last words when the process ends',
      'sm-exc|',
      '-M----#',
      'The codex app-server ended with exit code 101.\npanicked at main.rs',
    ],
    [
      'passes a line that is no message, without secrets',
      'stxc|',
      '-T--#',
      'The codex app-server ended with exit code 101.',
    ],
    [
      'says why a program could not be run',
      'f|',
      '-#',
      'The codex app-server could not be run: No such file or directory.',
    ],
    [
      'keeps the secrets of its environment and arguments, and what looks like one, out of the last words',
      'sp---xc|',
      '-------#',
      'The codex app-server ended with exit code 101.\nGET /[redacted]/[redacted] Authorization: [redacted]',
    ],
    [
      'quotes nothing that was written before the first message',
      'sunxc|',
      '--M--#',
      'The codex app-server ended with exit code 101.',
    ],
    [
      'quotes nothing that was written long before the end',
      'smw 6s exc|',
      '-M- 6s ---#',
      'The codex app-server ended with exit code 101.\npanicked at main.rs',
    ],
    [
      'quotes all of a process that never sent a message',
      'sw 9s exc|',
      '-- 9s ---#',
      'The codex app-server ended with exit code 101.\nWARNING: proceeding, even though\npanicked at main.rs',
    ],
    ['reports an end without words', 'sxc|', '---#', 'The codex app-server ended with exit code 101.'],
  ])('%s', (_, event, expected, message) =>
    marbles(({ cold, expectObservable }) => {
      const backend: Backend = { start: () => cold<Started | ProcessEvent>(event, events) };
      const transport = childTransport({ backend, command: ['codex', '--pin', 'hunter3x'], ...ports });
      expectObservable(NEVER.pipe(transport)).toBe(expected, { M, T }, new Error(message));
    })(),
  );

  it(
    'ends the process with its subscriber',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const life$ = cold<Started | ProcessEvent>('s-----', events);
      const backend: Backend = { start: () => life$ };
      const transport = childTransport({ backend, command: ['codex', '--pin', 'hunter3x'], ...ports });
      const until = '                    ---!';
      expectObservable(NEVER.pipe(transport), until).toBe('----');
      expectSubscriptions(life$.subscriptions).toBe('^--!');
    }),
  );
});
