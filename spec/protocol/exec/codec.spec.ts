import { decodeExecMessage, decodeExecRequest, encodeExecMessage } from '../../../src/protocol/exec/codec';

describe('decodeExecMessage', () => {
  it.each([
    ['{"id":1,"method":"m","params":[1]}', { kind: 'request', id: 1, method: 'm', params: [1] }],
    ['{"jsonrpc":"1","id":"","method":"m","trace":{}}', { kind: 'request', id: '', method: 'm', params: undefined }],
    ['{"id":9223372036854775807,"method":"m"}', { kind: 'request', id: 9223372036854775807n, method: 'm' }],
    ['{"id":9223372036854775808,"method":"m"}', { kind: 'notification', method: 'm' }],
    ['{"id":1.5,"method":"m"}', { kind: 'notification', method: 'm' }],
    ['{"id":null,"method":"m","params":{}}', { kind: 'notification', method: 'm', params: {} }],
    ['{"id":1,"result":null}', { kind: 'response', id: 1, result: null }],
    ['{"id":1,"error":{"code":-1,"message":"no"}}', { kind: 'response', id: 1, error: { code: -1, message: 'no' } }],
    ['{"id":1,"error":"no"}', { kind: 'response', id: 1, error: { code: 0, message: '' } }],
  ])('reads %s', (line, message) => {
    expect(decodeExecMessage(line)).toEqual(message);
  });

  it.each(['{', '5', '"s"', 'null', '[]', '[{"id":1,"method":"m"}]', '{}', '{"id":1}', '{"result":1}', '\ufeff{}'])(
    'finds no message in %s',
    (line) => {
      expect(decodeExecMessage(line)).toEqual({ kind: 'fault', message: expect.any(String) });
    },
  );
});

describe('encodeExecMessage', () => {
  it.each([
    [{ kind: 'response' as const, id: 7n, result: undefined }, '{"id":7,"result":null}'],
    [
      { kind: 'response' as const, id: '7', error: { code: 1, message: 'no' } },
      '{"error":{"code":1,"message":"no"},"id":"7"}',
    ],
    [{ kind: 'notification' as const, method: 'm', params: { a: 1 } }, '{"method":"m","params":{"a":1}}'],
    [
      {
        kind: 'notification' as const,
        method: 'process/output',
        params: { processId: '"ü', seq: 1, stream: 'pty', chunk: 'YQ==' },
      },
      '{"method":"process/output","params":{"processId":"\\"ü","seq":1,"stream":"pty","chunk":"YQ=="}}',
    ],
    [{ kind: 'request' as const, id: 1, method: 'm', params: {} }, '{"id":1,"method":"m","params":{}}'],
  ])('writes %j without a version', (message, line) => {
    expect(encodeExecMessage(message)).toBe(line);
  });
});

describe('decodeExecRequest', () => {
  const withParams = (params: string): string => `{"id":1,"method":"m","params":${params}}`;
  const many = 262_144;

  it.each([
    ['values', `[${'1,'.repeat(many)}1]`],
    ['arrays in one another', '['.repeat(many) + ']'.repeat(many)],
    ['arrays that are never closed', '['.repeat(many)],
    ['members behind a string', `{"a":"\\"",${'"b":1,'.repeat(many)}"c":1}`],
  ])('refuses to read too many %s', (_, params) => {
    expect(decodeExecRequest(withParams(params))).toEqual({
      kind: 'fault',
      message: 'a message has at most 262144 values',
    });
  });

  it('reads long strings, whatever they hold', () => {
    const params = ['[{,'.repeat(many), '\\"['.repeat(many)];
    expect(decodeExecRequest(withParams(JSON.stringify(params)))).toEqual({
      kind: 'request',
      id: 1,
      method: 'm',
      params,
    });
  });
});
