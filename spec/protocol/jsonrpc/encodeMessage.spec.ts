import fc from 'fast-check';
import { decodeMessage, encodeLines, encodeMessage, type Outgoing, type Response } from '../../../src/protocol/jsonrpc';

type Line = Exclude<Outgoing, { kind: 'silence' | 'notifications' }>;

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

describe('encodeLines', () => {
  const linesOf = (message: Parameters<typeof encodeLines>[0]): string[] => {
    const lines: string[] = [];
    encodeLines(message, (line) => lines.push(line));
    return lines;
  };

  it.each<[readonly string[], string[]]>([
    [[], []],
    [['{"a":1}'], ['{"jsonrpc":"2.0","method":"n","params":{"a":1}}']],
    [
      ['{}', '{"b":2}'],
      ['{"jsonrpc":"2.0","method":"n","params":{}}', '{"jsonrpc":"2.0","method":"n","params":{"b":2}}'],
    ],
  ])('writes a line for each notification of %j', (params, lines) => {
    expect(linesOf({ kind: 'notifications', method: 'n', params })).toEqual(lines);
  });

  it('writes any other message as one line', () => {
    const request: Line = { kind: 'request', id: 1, method: 'm', params: {} };
    expect(linesOf(request)).toEqual([encodeMessage(request)]);
  });
});
