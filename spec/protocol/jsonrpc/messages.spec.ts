import { idKey, RpcError, toErrorObject } from '../../../src/protocol/jsonrpc/messages';

describe('idKey', () => {
  it('keeps all ids apart', () => {
    const ids = [0, '', '0', '"0', 7, '7', -7, 9007199254740992, 9007199254740993n, '9007199254740993'];
    expect(new Set(ids.map(idKey)).size).toBe(ids.length);
  });

  it('is the same for a number and a bigint of its value', () => {
    expect(idKey(7n)).toBe(idKey(7));
  });
});

describe('toErrorObject', () => {
  it('is the error member of a response, with data where there is any', () => {
    expect(toErrorObject(new RpcError(-32602, 'no'))).toStrictEqual({ code: -32602, message: 'no' });
    expect(toErrorObject(new RpcError(1, 'no', null))).toStrictEqual({ code: 1, message: 'no', data: null });
  });
});

describe('RpcError', () => {
  it('is an error with a name of its own', () => {
    expect(new RpcError(1, 'no')).toBeInstanceOf(Error);
    expect(String(new RpcError(1, 'no'))).toBe('RpcError: no');
  });
});
