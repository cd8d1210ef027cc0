import { EMPTY, NEVER } from 'rxjs';
import type { Backend, Started } from '../../src/executor/backend';
import { childTransport } from '../../src/executor/childTransport';
import type { ProcessEvent } from '../../src/protocol/exec/process';
import { decodeBareMessage } from '../../src/protocol/jsonrpc/decodeMessage';
import { silentLog } from '../../src/protocol/log';
import { marbles } from '../support/marbles';

const process = { write: () => EMPTY, closeInput: () => EMPTY, read: () => NEVER, signal: () => EMPTY };
const output = (stream: 'stdout' | 'stderr', text: string, seq: number): ProcessEvent =>
  ({ kind: 'output', stream, chunk: Buffer.from(text), seq }) as ProcessEvent;

const events = {
  s: { kind: 'started', process } as unknown as Started,
  t: output('stdout', 'Listening with hunter2x\n', 1),
  m: output('stdout', '{"method":"hello","params":{}}\n', 1),
  p: output('stderr', 'GET /hunter2x/hunter3x Authorization: Bearer abcdefgh sk-0123456789', 2),
  u: output('stderr', 'WARNING: proceeding, even though\n', 1),
  n: output('stdout', '{"method":"hello","params":{}}\n', 2),
  w: output('stderr', 'WARNING: proceeding, even though\n', 2),
  e: output('stderr', '\u001b[31mpanicked at main.rs\u001b[0m\n', 2),
  x: { kind: 'exited', exitCode: 101, seq: 3 } as unknown as ProcessEvent,
  c: { kind: 'closed', seq: 4 } as unknown as ProcessEvent,
  f: { kind: 'failed', reason: 'No such file or directory' } as unknown as ProcessEvent,
};
const deps = {
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
      const transport = childTransport({ backend, command: ['codex', '--pin', 'hunter3x'], ...deps });
      expectObservable(NEVER.pipe(transport)).toBe(expected, { M, T }, new Error(message));
    })(),
  );

  it(
    'ends the process with its subscriber',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const life$ = cold<Started | ProcessEvent>('s-----', events);
      const backend: Backend = { start: () => life$ };
      const transport = childTransport({ backend, command: ['codex', '--pin', 'hunter3x'], ...deps });
      const until = '                    ---!';
      expectObservable(NEVER.pipe(transport), until).toBe('----');
      expectSubscriptions(life$.subscriptions).toBe('^--!');
    }),
  );
});
