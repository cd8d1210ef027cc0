import { ConfigError } from '../../../src/settings/faults/configError';
import { ofJsonNumber, splitKey, toToml } from '../../../src/settings/layers/toToml';

const convert = toToml('here', ofJsonNumber);
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe('toToml', () => {
  it.each([
    [1, 1n],
    [1.5, 1.5],
    [2 ** 63, 2 ** 63],
    [-(2 ** 63), -(2n ** 63n)],
    [5n, 5n],
    ['1', '1'],
    [true, true],
    [null, ''],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [
      [1, [null]],
      [1n, ['']],
    ],
    [{ a: { b: 1 }, c: undefined }, { a: { b: 1n } }],
  ])('makes %j to TOML', (value, expected) => {
    expect(convert(value)).toEqual(expected);
  });

  it('leaves numbers of parsed TOML as the floats that they are', () => {
    expect(toToml('here', (float) => float)([1, 2.5])).toEqual([1, 2.5]);
  });

  it('makes tables without a prototype', () => {
    const table = convert(JSON.parse('{"__proto__":{"polluted":1}}')) as object;
    expect([Object.getPrototypeOf(table), Object.keys(table)]).toEqual([null, ['__proto__']]);
  });

  it('throws for what is nested more than 64 deep', () => {
    expect(() => convert(nested(64))).not.toThrow();
    expect(() => convert(nested(65))).toThrow(new ConfigError('here: nested more than 64 deep, expected less'));
  });
});

describe('splitKey', () => {
  it('splits at each dot, into 64 parts at most', () => {
    expect(splitKey('a.b..c', 'here')).toEqual(['a', 'b', '', 'c']);
    expect(splitKey(Array(64).fill('a').join('.'), 'here')).toHaveLength(64);
    expect(() => splitKey(Array(65).fill('a').join('.'), 'here')).toThrow('here: nested more than 64 deep');
  });
});
