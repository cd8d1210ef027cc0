import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { responseTo, resultOf } from '../../../src/protocol/rpc/responses';
import { marbles } from '../../support/marbles';

const id = (value: unknown) => ({ id: value });

describe('responseTo', () => {
  it.each([
    ['passes the first with its id and completes', 0, '-o-s-a-a', '-----(a|)'],
    ['completes without one', 0, '-o-|', '---|'],
    ['waits', 0, '----', '----'],
    ['errors with the source', 0, '--#', '--#'],
    ['keeps text and number apart', '0', '-a-s', '---(s|)'],
  ])('%s', (_, own, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      const values = { a: id(0), o: id(1), s: id('0') };
      expectObservable(hot(source, values).pipe(responseTo<{ id: unknown }>(own))).toBe(expected, values);
    })(),
  );
});

describe('resultOf', () => {
  it('gives the result, and that of ready-made text', () => {
    expect(resultOf({ kind: 'response', id: 1, result: { a: 1 } })).toEqual({ a: 1 });
    expect(resultOf({ kind: 'response', id: 1, json: '{"a":1}' })).toEqual({ a: 1 });
  });

  it('throws the error of the peer with its code and data', () => {
    const error = { code: -32600, message: 'no', data: { why: 1 } };
    expect(() => resultOf({ kind: 'response', id: 1, error })).toThrow(new RpcError(-32600, 'no', { why: 1 }));
  });
});
