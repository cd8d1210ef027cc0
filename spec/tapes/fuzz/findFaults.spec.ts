import { findFaults } from '../../../src/tapes/fuzz/findFaults';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

type Line = Parameters<typeof sessionFrom>[number];

const open: Line[] = [
  [0, 'in', { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } }],
  [
    1,
    'out',
    {
      jsonrpc: '2.0',
      id: 0,
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    },
  ],
  [2, 'in', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } }],
];
const result = (own: object = {}): Line => [3, 'out', { jsonrpc: '2.0', id: 1, result: { content: [], ...own } }];
const error = (code: number, message: string): Line => [3, 'out', { jsonrpc: '2.0', id: 1, error: { code, message } }];
const text = (words: string) => ({ content: [{ type: 'text', text: words }], isError: true });
const exit = (code: number | null, sig: string | null = null): Line => [9, 'exit', { code, sig }];

const faultsIn = (lines: Line[], endedBy: 'client' | 'server' = 'client') =>
  findFaults(toSessionIndex(sessionFrom(...open, ...lines)), endedBy).map(
    ({ kind, what, text: words, id }) => `${kind} ${what} ${id}: ${words}`,
  );

describe('findFaults', () => {
  it.each<[string, Line[]]>([
    ['a result', [result(), exit(0)]],
    ['an error of the server that names its cause', [error(-32602, 'b must be a number at line 1:2'), exit(0)]],
    ['a result that is an error', [result(text('no such file at /a/b:1:2')), exit(0)]],
    ['an end that the client brought about', [result(), exit(1)]],
    ['a call that waits for its client', [[3, 'out', { jsonrpc: '2.0', id: 9, method: 'ping' }]]],
  ])('finds nothing in %s', (_, lines) => {
    expect(faultsIn(lines)).toEqual([]);
  });

  it.each<[string, Line[], 'client' | 'server', string]>([
    [
      'a crash',
      [[3, 'err', 'boom'], exit(3)],
      'server',
      'crash tools/call a 1: the server ended with exit code 3 (boom)',
    ],
    ['an end in the middle', [exit(0)], 'server', 'crash tools/call a 1: the server ended with exit code 0'],
    [
      'a crash at the end',
      [result(), exit(null, 'SIGSEGV')],
      'client',
      'crash the server undefined: the server ended by SIGSEGV',
    ],
    ['a hang', [exit(0)], 'client', 'hang tools/call a 1: the server did not respond in time'],
    ['noise', [[3, 'out', 'oh 1'], result()], 'client', 'noise a line that is not a message 1: oh 1'],
    [
      'a second response',
      [result(), result()],
      'client',
      'protocol the response to tools/call a 1: a second response: its request has one in line 4',
    ],
    [
      'an internal error',
      [error(-32603, 'oops\n\n  again')],
      'client',
      'internal error tools/call a 1: -32603: oops again',
    ],
    [
      'a stack of Node',
      [result(text('x\n    at f (/a/b.js:1:2)'))],
      'client',
      'stack trace tools/call a 1: at f (/a/b.js:1:2',
    ],
    [
      'a stack of Python',
      [error(-1, 'Traceback (most recent call last):\n  File')],
      'client',
      'stack trace tools/call a 1: Traceback (most recent call last)',
    ],
    [
      'a panic of Rust',
      [error(-1, "thread 'main' panicked at src/a.rs")],
      'client',
      "stack trace tools/call a 1: thread 'main' panicked at",
    ],
    [
      'a stack of Java',
      [error(-1, 'x\n\tat a.b.C.d(C.java:12)')],
      'client',
      'stack trace tools/call a 1: at a.b.C.d(C.java:12)',
    ],
  ])('finds %s', (_, lines, endedBy, expected) => {
    expect(faultsIn(lines, endedBy)).toContainEqual(expect.stringContaining(expected));
  });

  it('names the error that a program ended with, not what comes after it', () => {
    const lines: Line[] = [
      [3, 'err', 'TypeError: b.toFixed is not a function'],
      [3, 'err', '    at f (a.js:1:2)'],
      [3, 'err', 'Node.js v20.20.2'],
      exit(1),
    ];
    expect(faultsIn(lines, 'server')).toEqual([
      'crash tools/call a 1: the server ended with exit code 1 (TypeError: b.toFixed is not a function)',
    ]);
  });

  it('finds an error of an HTTP server', () => {
    const session = sessionFrom(...open, error(-1, 'oops'));
    const last = session.entries.at(-1) as { entry: { status?: number } };
    last.entry.status = 502;
    expect(findFaults(toSessionIndex(session), 'client').map(({ kind }) => kind)).toEqual(['internal error']);
  });

  it('names the same fault once, whatever the values in its text', () => {
    const noise: Line[] = [[3, 'out', 'oh "a" 1'], [4, 'out', 'oh "b" 2'], result()];
    expect(faultsIn(noise)).toHaveLength(1);
  });

  it('reads hostile texts without going through them again and again', () => {
    const digits = ':1'.repeat(9_000);
    const texts = [`\n ${digits}`, ` at ${'a.'.repeat(9_000)}(`, `thread '${' '.repeat(9_000)}`, digits];
    for (const one of texts) expect(faultsIn([result(text(one))])).toEqual([]);
  });
});
