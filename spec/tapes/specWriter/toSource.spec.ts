import fc from 'fast-check';
import { toMessageSource, toQuoted, toSource } from '../../../src/tapes/specWriter/toSource';

describe('toSource', () => {
  it('is JavaScript of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value)); // -0 is 0 in JSON
        expect(new Function(`return (${toSource(plain, 0)})`)()).toEqual(plain);
      }),
    );
  });

  it('quotes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        expect(new Function(`return ${toQuoted(text)}`)()).toBe(text),
      ),
    );
  });

  it('escapes what is not seen', () => {
    expect(toQuoted('a\u202eb\u009b')).toBe("'a\\u202eb\\u009b'");
  });

  it('keeps a member named __proto__', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1}}');
    expect(JSON.stringify(new Function(`return (${toSource(value, 0)})`)())).toBe('{"__proto__":{"a":1}}');
  });
});

describe('toMessageSource', () => {
  it.each([
    [{ jsonrpc: '2.0', id: '<id>', method: 'a' }, "request('a')"],
    [{ jsonrpc: '2.0', method: 'a', params: {} }, "notification('a', {})"],
    [{ jsonrpc: '2.0', id: '<id of x>', result: 1 }, "answer('x', 1)"],
    [{ jsonrpc: '2.0', id: '<id of x>', error: { code: -1, message: 'no' } }, "refusal('x', -1, 'no')"],
    [{ jsonrpc: '2.0', id: '<id of x>', error: { code: 1, message: 'no', data: [1] } }, "refusal('x', 1, 'no', [1])"],
    [{ id: 7, method: 'a' }, "{ id: 7, method: 'a' }"],
    [{ jsonrpc: '2.0', id: 'own', method: 'a' }, "{ jsonrpc: '2.0', id: 'own', method: 'a' }"],
    [{ jsonrpc: '2.0', method: 'a', params: 3 }, "{ jsonrpc: '2.0', method: 'a', params: 3 }"],
    ['{broken', "'{broken'"],
  ])('writes %j', (value, text) => {
    expect(toMessageSource(value, 0, 0).text).toBe(text);
  });
});
