import fc from 'fast-check';
import { decodeMessage } from '../../../src/protocol/jsonrpc/decodeMessage';
import { encodeMessage } from '../../../src/protocol/jsonrpc/encodeMessage';
import type { Outgoing, Response } from '../../../src/protocol/jsonrpc/messages';

type Line = Exclude<Outgoing, { kind: 'noResponse' | 'notifications' }>;

describe('encodeMessage', () => {
  it.each<[Line, string]>([
    [{ kind: 'notification', method: 'n', params: {} }, '{"jsonrpc":"2.0","method":"n","params":{}}'],
    [
      { kind: 'request', id: 2n ** 63n, method: 'm', params: { a: 1n } },
      '{"jsonrpc":"2.0","id":9223372036854775808,"method":"m","params":{"a":1}}',
    ],
    [{ kind: 'response', id: '', json: '{"a":1}' }, '{"jsonrpc":"2.0","id":"","result":{"a":1}}'],
    [{ kind: 'response', id: 0, result: undefined }, '{"jsonrpc":"2.0","id":0,"result":{}}'],
    [
      { kind: 'response', id: null, error: { code: -32700, message: 'm' } },
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}',
    ],
    [
      { kind: 'answers', responses: [{ kind: 'response', id: 1, json: '{}' }] },
      '[{"jsonrpc":"2.0","id":1,"result":{}}]',
    ],
  ])('writes %#', (message, line) => {
    expect(encodeMessage(message)).toBe(line);
  });

  it('writes one line that is read as the same message', () => {
    const id = fc.oneof(fc.string(), fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }));
    const params = fc.dictionary(fc.string(), fc.jsonValue()).map((members) => JSON.parse(JSON.stringify(members)));
    fc.assert(
      fc.property(id, fc.string({ minLength: 1 }), params, (id, method, params) => {
        const request: Line = { kind: 'request', id, method, params };
        const line = encodeMessage(request);
        expect(line).not.toContain('\n');
        expect(decodeMessage(line)).toEqual(request);
        const response: Response = { kind: 'response', id, result: params };
        expect(decodeMessage(encodeMessage(response))).toEqual(response);
      }),
    );
  });
});

describe('encodeMessage of notifications that leave together', () => {
  it.each<[readonly string[], string]>([
    [['{"a":1}'], '{"jsonrpc":"2.0","method":"n","params":{"m":{"a":1}}}'],
    [
      ['0', '{"b":2}'],
      '{"jsonrpc":"2.0","method":"n","params":{"m":0}}\n{"jsonrpc":"2.0","method":"n","params":{"m":{"b":2}}}',
    ],
  ])('writes a line for each of %j', (values, text) => {
    expect(encodeMessage({ kind: 'notifications', method: 'n', head: '{"m":', values, tail: '}' })).toBe(text);
  });

  it('writes the lines that each alone would have', () => {
    const params = fc.array(fc.jsonValue(), { minLength: 1 });
    fc.assert(
      fc.property(params, (all) => {
        const values = all.map((value) => JSON.stringify(value));
        const text = encodeMessage({ kind: 'notifications', method: 'n', head: '{"m":', values, tail: '}' });
        const lines = all.map((m) => encodeMessage({ kind: 'notification', method: 'n', params: { m } }));
        expect(text.split('\n')).toEqual(lines);
      }),
    );
  });
});
