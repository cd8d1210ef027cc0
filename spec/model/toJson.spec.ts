import { toJson } from '../../src/model/toJson';

describe('toJson', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['[1]', undefined],
    ['null', undefined],
    ['7', undefined],
    ['ping', undefined],
    ['{"a":', undefined],
    ['', undefined],
  ])('of %s is %j', (data, value) => {
    expect(toJson(data)).toEqual(value);
  });
});
