import { isObject } from '../../../src/protocol/jsonrpc/json';

describe('isObject', () => {
  it.each([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    [undefined, false],
    ['text', false],
    [7, false],
  ])('of %j is %j', (value, expected) => {
    expect(isObject(value)).toBe(expected);
  });
});
