import { answer, idOf, notification, refusal, request } from '../../src/testing';

describe('messages', () => {
  it('are those of JSON-RPC, with names for ids', () => {
    expect([request('a'), request('a', { b: 1 })]).toEqual([
      { jsonrpc: '2.0', id: '<id>', method: 'a' },
      { jsonrpc: '2.0', id: '<id>', method: 'a', params: { b: 1 } },
    ]);
    expect(notification('a', { b: 1 })).toEqual({ jsonrpc: '2.0', method: 'a', params: { b: 1 } });
    expect(answer('a', null)).toEqual({ jsonrpc: '2.0', id: '<id of a>', result: null });
    expect(refusal('a', -1, 'no')).toEqual({ jsonrpc: '2.0', id: '<id of a>', error: { code: -1, message: 'no' } });
    expect(refusal('a', -1, 'no', 0).error).toEqual({ code: -1, message: 'no', data: 0 });
    expect(idOf('a')).toBe('<id of a>');
  });
});
