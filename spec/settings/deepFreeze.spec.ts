import { deepFreeze } from '../../src/settings/loadConfig';

describe('deepFreeze', () => {
  it('freezes a value with all that is in it, and returns it', () => {
    const value = { list: [{ a: 1 }], text: 'x', none: null };
    expect(deepFreeze(value)).toBe(value);
    expect([value, value.list, value.list[0]].map((one) => Object.isFrozen(one))).toEqual([true, true, true]);
  });

  it.each([['x'], [1], [null], [undefined]])('returns %j as it is', (value) => {
    expect(deepFreeze(value)).toBe(value);
  });
});
