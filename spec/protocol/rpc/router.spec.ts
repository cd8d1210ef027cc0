import { concat, delay, NEVER, of, throwError } from 'rxjs';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../src/protocol/log';
import { toResult } from '../../../src/protocol/rpc/answerOnce';
import type { RpcRequest } from '../../../src/protocol/rpc/messages';
import { type Method, methodTable, router } from '../../../src/protocol/rpc/router';
import { marbles } from '../../support/marbles';

type Note = { kind: 'note' };

const ask = (method: string): RpcRequest => ({ kind: 'request', id: 0, method, params: {} });
const note: Note = { kind: 'note' };
const fail = (error: unknown): never => {
  throw error;
};

const methods: Record<string, Method<RpcRequest, Note>> = {
  now: ({ params }) => of(toResult(params)),
  later: () => of(toResult(2)).pipe(delay(3)),
  noted: () => of(note, toResult(3), note),
  never: () => NEVER,
  refused: () => throwError(() => new RpcError(-32602, 'no', { why: 1 })),
  thrown: () => fail(new RpcError(-32602, 'thrown')),
  broken: () => fail(new Error('secret')),
  brokenLater: () =>
    concat(
      of(toResult(4)),
      throwError(() => new Error('secret')),
    ),
  silent: () => of(note),
};

const error = (code: number, message: string, data?: unknown) => ({
  kind: 'response',
  id: 0,
  error: data === undefined ? { code, message } : { code, message, data },
});

describe('router', () => {
  it.each([
    ['now', '(A|)', { A: { kind: 'response', id: 0, result: {} } }],
    ['later', '---(A|)', { A: { kind: 'response', id: 0, result: 2 } }],
    ['noted', '(nAn|)', { n: note, A: { kind: 'response', id: 0, result: 3 } }],
    ['never', '-', {}],
    ['refused', '(A|)', { A: error(-32602, 'no', { why: 1 }) }],
    ['thrown', '(A|)', { A: error(-32602, 'thrown') }],
    [
      'x'.repeat(100_000),
      '(A|)',
      { A: error(-32601, `Method not found: ${'x'.repeat(200)}…`, { method: `${'x'.repeat(200)}…` }) },
    ],
    ['missing', '(A|)', { A: error(-32601, 'Method not found: missing', { method: 'missing' }) }],
    ['toString', '(A|)', { A: error(-32601, 'Method not found: toString', { method: 'toString' }) }],
  ])('answers %s', (method, expected, values) =>
    marbles(({ expectObservable }) => {
      const route = router({ methodOf: methodTable(methods), log: silentLog });
      expectObservable(route(ask(method))).toBe(expected, values);
    })(),
  );

  it.each([
    ['broken', '(A|)', { A: error(-32603, 'Internal error') }, 'Error: secret'],
    ['brokenLater', '(A|)', { A: { kind: 'response', id: 0, result: 4 } }, 'Error: secret'],
    ['silent', '(nA|)', { n: note, A: error(-32603, 'Internal error') }, 'Error: a method gave no result'],
  ])('logs a bug with its stack: %s', (method, expected, values, stack) => {
    const records: unknown[] = [];
    marbles(({ expectObservable }) => {
      const route = router({ methodOf: methodTable(methods), log: (...record) => records.push(record) });
      expectObservable(route(ask(method))).toBe(expected, values);
    })();
    expect(records).toEqual([
      ['error', 'a request failed because of a bug', { stack: expect.stringMatching(`^${stack}\n +at `) }],
    ]);
  });

  it(
    'has the texts of its server for unknown methods and for bugs',
    marbles(({ expectObservable }) => {
      const route = router({
        methodOf: methodTable(methods),
        log: silentLog,
        unknownMethod: (name) => new RpcError(-1, `no ${name}`),
        textOf: (bug) => (bug as Error).message,
      });
      expectObservable(route(ask('missing'))).toBe('(A|)', { A: error(-1, 'no missing') });
      expectObservable(route(ask('broken'))).toBe('(A|)', { A: error(-32603, 'secret') });
    }),
  );

  it(
    'keeps the batch a request is a member of',
    marbles(({ expectObservable }) => {
      const batch = { size: 2 };
      const route = router({ methodOf: methodTable(methods), log: silentLog });
      const A = { kind: 'response', id: 0, batch, result: {} };
      expectObservable(route({ ...ask('now'), batch })).toBe('(A|)', { A });
    }),
  );

  it(
    'stops a method that is cancelled',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const method$ = cold('-n--', { n: note });
      const route = router({ methodOf: () => () => method$, log: silentLog });
      expectObservable(route(ask('any')), '--!').toBe('-n', { n: note });
      expectSubscriptions(method$.subscriptions).toBe('^-!');
    }),
  );
});
