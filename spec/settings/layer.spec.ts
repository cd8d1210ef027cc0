import fc from 'fast-check';
import { getIn, type Layer, merge, type Setting, type Toml, tableOf, toTable } from '../../src/settings/layer';

const set = (path: string, value: Toml): Setting => ({
  path: path === '' ? [] : path.split('.'),
  value,
  folder: '/',
  where: () => '',
});
const plain = (value: Toml): unknown => JSON.parse(JSON.stringify(value));

describe('toTable', () => {
  it.each<[string, Layer, object]>([
    ['makes the tables on the way  ', [set('a.b', 'x')], { a: { b: 'x' } }],
    ['replaces a scalar on the way ', [set('a', 'x'), set('a.b', 'y')], { a: { b: 'y' } }],
    ['keeps what is beside it      ', [set('a.b', 'x'), set('a.c', 'y')], { a: { b: 'x', c: 'y' } }],
    [
      'replaces a table by a table  ',
      [set('a', tableOf({ b: 'x' })), set('a', tableOf({ c: 'y' }))],
      { a: { c: 'y' } },
    ],
    ['takes the later of two values', [set('a', 'x'), set('a', 'y')], { a: 'y' }],
    ['takes a whole table          ', [set('', tableOf({ a: 'x' })), set('b', 'y')], { a: 'x', b: 'y' }],
    ['is empty without assignments ', [], {}],
  ])('%s', (_, layer, table) => {
    expect(plain(toTable(layer))).toEqual(table);
  });

  it('has no prototype that a key could reach', () => {
    const table = toTable([set('__proto__.polluted', 'x'), set('constructor', 'y')]);
    expect(Object.getPrototypeOf(table)).toBeNull();
    expect([Object.keys(table), ({} as { polluted?: string }).polluted]).toEqual([
      ['__proto__', 'constructor'],
      undefined,
    ]);
  });
});

describe('merge', () => {
  it.each<[string, Toml | undefined, Toml, unknown]>([
    ['tables key by key        ', tableOf({ a: 'x', b: 'x' }), tableOf({ b: 'y' }), { a: 'x', b: 'y' }],
    [
      'tables within tables     ',
      tableOf({ a: tableOf({ b: 'x' }) }),
      tableOf({ a: tableOf({ c: 'y' }) }),
      { a: { b: 'x', c: 'y' } },
    ],
    ['a list as a whole        ', ['x', 'y'], ['z'], ['z']],
    ['a scalar over a table    ', tableOf({ a: 'x' }), 'y', 'y'],
    ['a table over a scalar    ', 'y', tableOf({ a: 'x' }), { a: 'x' }],
    ['over nothing             ', undefined, 'y', 'y'],
  ])('merges %s', (_, low, high, merged) => {
    expect(plain(merge(low, high))).toEqual(merged);
  });

  it('changes neither of the two', () => {
    const text = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.dictionary(fc.string(), fc.string())));
    fc.assert(
      fc.property(text, text, (low, high) => {
        const before = JSON.stringify([low, high]);
        merge(low as Toml, high as Toml);
        expect(JSON.stringify([low, high])).toBe(before);
      }),
    );
  });
});

describe('getIn', () => {
  const table = tableOf({ a: tableOf({ b: 'x' }), l: ['y'] });
  it.each([
    [[], table],
    [['a', 'b'], 'x'],
    [['a', 'c'], undefined],
    [['a', 'b', 'c'], undefined],
    [['l', '0'], undefined],
    [['toString'], undefined],
  ])('at %j', (path, value) => {
    expect(getIn(table, path)).toBe(value);
  });
});
