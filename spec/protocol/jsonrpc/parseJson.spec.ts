import fc from 'fast-check';
import { parseJson, parseObject } from '../../../src/protocol/jsonrpc/parseJson';

describe('parseJson', () => {
  it('reads any value of JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseJson(text))).toBe(text);
      }),
    );
  });

  it.each([[''], ['{"a":1'], ['undefined'], ['not JSON']])('gives undefined for %j', (text) => {
    expect(parseJson(text)).toBeUndefined();
  });
});

describe('parseObject', () => {
  it.each([
    ['an object  ', '{"a":[1]}', { a: [1] }],
    ['an empty one', ' {} ', {}],
    ['null       ', 'null', undefined],
    ['a list     ', '[{}]', undefined],
    ['a text     ', '"{}"', undefined],
    ['a number   ', '1', undefined],
    ['a cut line ', '{"a":1', undefined],
    ['no text    ', '', undefined],
  ])('reads %s: %s', (_, text, object) => {
    expect(parseObject(text)).toEqual(object);
  });
});
