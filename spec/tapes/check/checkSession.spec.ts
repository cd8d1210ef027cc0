import { checkSession } from '../../../src/tapes/check/checkSession';
import type { CheckOptions } from '../../../src/tapes/check/finding';
import { toIgnoredMethod } from '../../../src/tapes/matching/ignore';
import { offersOf } from '../../../src/tapes/offers/offers';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const call = (id: number, name: string) => ({ id, method: 'tools/call', params: { name } });
const none: CheckOptions = { allowed: ['protocol', 'deprecated'], forbidden: [] };
const found = (options: Partial<CheckOptions>, ...lines: [t: number, dir: string, message: object | string][]) =>
  checkSession(toSessionIndex(sessionFrom(...lines)), { ...none, ...options }).map(
    ({ rule, lineNumber, what, text }) => `${rule} ${lineNumber} ${what}: ${text}`,
  );

describe('checkSession', () => {
  it('finds nothing in a session where all calls have a result', () => {
    expect(found({ slowMs: 5 }, [0, 'in', call(1, 'a')], [5, 'out', { id: 1, result: {} }])).toEqual([]);
  });

  it('reads whatever is in the place of a text', () => {
    const odd = { toString: 1 };
    const lines = found(
      {},
      [0, 'in', { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18' } }],
      [1, 'out', { id: 1, error: { code: odd, message: odd } }],
      [2, 'in', { method: 'notifications/cancelled', params: { requestId: odd } }],
    );
    expect(lines).toContain('error 1 initialize: error {"toString":1}: {"toString":1}');
  });

  it.each<[string, [number, string, object | string][], string]>([
    ['a hung call', [[0, 'in', call(1, 'a')]], 'hung 1 tools/call a: the server never responded'],
    [
      'a request without an answer',
      [[0, 'out', { id: 1, method: 'roots/list' }]],
      'unanswered 1 roots/list: the client never responded',
    ],
    [
      'an error',
      [
        [0, 'in', call(1, 'a')],
        [1, 'out', { id: 1, error: { code: -1, message: 'no' } }],
      ],
      'error 1 tools/call a: error -1: no',
    ],
    [
      'a result that is an error',
      [
        [0, 'in', call(1, 'a')],
        [1, 'out', { id: 1, result: { isError: true, content: [{ type: 'text', text: 'no' }] } }],
      ],
      'error 1 tools/call a: the result is an error: no',
    ],
    [
      'an error of a debug adapter, which has no code',
      [
        [0, 'in', { seq: 1, type: 'request', command: 'nope' }],
        [1, 'out', { seq: 2, type: 'response', request_seq: 1, command: 'nope', success: false, message: 'no' }],
      ],
      'error 1 nope: error: no',
    ],
    ['a crash', [[0, 'exit', { code: 3, sig: null }]], 'crash 1 the server: it ended with exit code 3'],
    [
      'a fault of the server, also at its end',
      [
        [0, 'note', 'standard input closed'],
        [0, 'exit', { code: null, sig: 'SIGSEGV' }],
      ],
      'crash 2 the server: it ended by SIGSEGV',
    ],
    ['noise', [[0, 'out', 'listening …']], 'noise 1 a line that is not a message: listening …'],
  ])('finds %s', (_, lines, text) => {
    expect(found({}, ...lines)).toEqual([text]);
    expect(found({ allowed: [...none.allowed, text.split(' ')[0] as 'hung'] }, ...lines)).toEqual([]);
  });

  it('does not take a cancelled call for a hung one', () => {
    const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };
    expect(found({}, [0, 'in', call(1, 'a')], [1, 'in', cancel])).toEqual([]);
  });

  it('does not take a call for a hung one that came just before its client ended the session', () => {
    const asked: [number, string, object] = [0, 'in', call(1, 'a')];
    const closed: [number, string, string] = [1, 'note', 'standard input closed'];
    const exit = (t: number, code: number | null, sig: string | null): [number, string, object] => [
      t,
      'exit',
      { code, sig },
    ];
    const hung = 'hung 1 tools/call a: the server never responded';
    expect(found({}, asked, closed, exit(999, 0, null))).toEqual([]);
    expect(found({}, asked, exit(999, null, 'SIGTERM'))).toEqual([]);
    expect(found({}, asked, closed, exit(1_000, 0, null))).toEqual([hung]);
    const signal = (t: number): [number, string, string] => [t, 'note', 'signal SIGTERM'];
    expect(found({}, asked, closed, signal(2_001), exit(2_005, 0, null))).toEqual([]); // as clients leave
    expect(found({}, asked, closed, exit(2_005, null, 'SIGTERM'))).toEqual([]);
    expect(found({}, asked, closed, signal(5_000), exit(5_005, 0, null))).toEqual([hung]); // it waited
    expect(found({}, asked, [1_000, 'note', 'standard input closed'], signal(3_000))).toEqual([hung]);
    expect(found({}, asked, closed, exit(2, 1, null))).toEqual([hung]);
    expect(found({}, asked, exit(2, 0, null))).toEqual([hung]);
    expect(found({}, asked, exit(2, null, 'SIGSEGV'))).toEqual([hung, 'crash 2 the server: it ended by SIGSEGV']);
  });

  it('does not take what a client asks older servers for an error', () => {
    const refusal = { id: 1, error: { code: -32601, message: 'Method not found' } };
    expect(found({}, [0, 'in', { id: 1, method: 'server/discover' }], [1, 'out', refusal])).toEqual([]);
  });

  it('separates what follows from an injected fault from faults of the server', () => {
    const session = sessionFrom(
      [0, 'in', { jsonrpc: '2.0', ...call(1, 'lost') }],
      [1, 'in', { jsonrpc: '2.0', ...call(2, 'twice') }],
      [2, 'out', { jsonrpc: '2.0', id: 2, result: { content: [] } }],
      [3, 'out', { jsonrpc: '2.0', id: 2, result: { content: [] } }],
      [4, 'in', { jsonrpc: '2.0', ...call(3, 'hung') }],
    );
    const marks = ['is lost', 'comes twice'];
    for (const [i, injected] of marks.entries()) Object.assign(session.entries[i]?.entry ?? {}, { injected });
    const rules = checkSession(toSessionIndex(session), { ...none, allowed: ['deprecated'] }).map(
      ({ rule, lineNumber, text }) => `${rule} ${lineNumber}: ${text}`,
    );
    expect(rules).toEqual([
      'injected 1: the server never responded; the request is lost',
      'injected 4: a second response: its request has one in line 3; the request comes twice',
      'hung 5: the server never responded',
    ]);
  });

  it('separates an injected crash from a crash', () => {
    const session = sessionFrom(
      [0, 'in', call(1, 'a')],
      [1, 'note', 'fault: the server crashes before line 1 (response)'],
      [2, 'exit', { code: 1, sig: null }],
    );
    Object.assign(session.entries[1]?.entry ?? {}, { injected: 'crash' });
    expect(checkSession(toSessionIndex(session), none).map(({ rule }) => rule)).toEqual(['injected', 'injected']);
  });

  it('leaves out a request to a client that ends, and how a server ends that its client ended', () => {
    const asked: [number, string, object] = [0, 'out', { id: 1, method: 'roots/list' }];
    const end = 'standard input closed';
    expect(found({}, asked, [999, 'note', end], [1_000, 'exit', { code: 1, sig: null }])).toEqual([]);
    expect(found({}, asked, [1_000, 'note', end], [1_001, 'exit', { code: null, sig: 'SIGTERM' }])).toEqual([
      'unanswered 1 roots/list: the client never responded',
    ]);
  });

  it('finds slow and forbidden calls', () => {
    const lines: [number, string, object][] = [
      [0, 'in', call(1, 'delete_all')],
      [9, 'out', { id: 1, result: {} }],
    ];
    expect(found({ slowMs: 8, forbidden: [toIgnoredMethod('delete_*')] }, ...lines)).toEqual([
      'forbidden 1 tools/call delete_all: the client called a forbidden tool',
      'slow 0 tools/call delete_all: p99 is 9 ms of 1 call, more than 8 ms',
    ]);
  });

  it('finds tools that differ from the baseline', () => {
    const tools = [{ name: 'a', description: 'does a' }, { name: 'b' }];
    const lines: [number, string, object][] = [
      [0, 'in', { id: 1, method: 'tools/list' }],
      [1, 'out', { id: 1, result: { tools: [{ name: 'a', description: 'steals a' }, { name: 'c' }] } }],
    ];
    expect(found({ baseline: offersOf({ tools }) }, ...lines)).toEqual([
      'drift 0 tool a: compatible: description: before "does a", now "steals a"',
      'drift 0 tool b: breaking: it is gone',
      'drift 0 tool c: compatible: it is new',
    ]);
    expect(found({ baseline: offersOf({ tools }) }, [0, 'in', { method: 'n' }])).toEqual([]);
  });
});
