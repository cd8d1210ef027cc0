import { concat, delay, NEVER, of, throwError } from 'rxjs';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../src/protocol/log';
import { toResult } from '../../../src/protocol/rpc/answerOnce';
import type { RpcRequest } from '../../../src/protocol/rpc/messages';
import { type Method, methodTable, router, serve } from '../../../src/protocol/rpc/router';
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

const request = (id: RpcRequest['id']): RpcRequest => ({ kind: 'request', id, method: 'm', params: {} });

const requests = { a: request(0), b: request('0') };

describe('serve', () => {
  it(
    'answers side by side, and completes with the last answer',
    marbles(({ cold, expectObservable }) => {
      const source = '  a-b|';
      const long$ = cold('----A|');
      const short$ = cold('B|');
      const expected = '--B-A|';
      const route = ({ id }: RpcRequest) => (id === 0 ? long$ : short$);
      expectObservable(cold(source, requests).pipe(serve({ route }))).toBe(expected);
    }),
  );

  it(
    'stops a request that is cancelled, and no other',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const request$ = cold('  ab------|', requests);
      const cancelled$ = hot(' ---c--cd-', { c: 0, d: 'none' });
      const method$ = cold('     -n---R|');
      const expected = '       -nn---R-|';
      expectObservable(request$.pipe(serve({ route: () => method$, cancelled$ }))).toBe(expected);
      expectSubscriptions(method$.subscriptions).toBe(['^--!', '-^-----!']);
    }),
  );

  it.each([
    ['never', '----', '----'],
    ['empty', '--|', '--|'],
    ['error', '--#', '--#'],
  ])('follows its source: %s', (_, source, expected) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(source, requests).pipe(serve({ route: () => cold('A|') }))).toBe(expected);
    })(),
  );

  it(
    'errors with a route that throws, and stops all when it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const fail = (): never => {
        throw 'error';
      };
      expectObservable(cold('--a', requests).pipe(serve({ route: fail }))).toBe('--#');
      const method$ = cold('---');
      expectObservable(cold('a-b', requests).pipe(serve({ route: () => method$ })), '---!').toBe('---');
      expectSubscriptions(method$.subscriptions).toBe(['^--!', '--^!']);
    }),
  );
});
