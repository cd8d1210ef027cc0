import { nothingObserved, observePart } from '../../../src/tapes/coverage/observe';
import { wholePart } from '../../../src/tapes/session/readParts';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

/** What one call of a tool with these arguments leaves. */
const given = (value: unknown) => {
  const observed = nothingObserved();
  const call = { id: 1, method: 'tools/call', params: { name: 'a', arguments: value } };
  observePart(observed, wholePart(toSessionIndex(sessionFrom([0, 'in', call]))));
  return observed.tools.get('a')?.given ?? new Map();
};

describe('observePart', () => {
  it('counts each member, and keeps its values', () => {
    expect([...given({ list: [{ x: 1 }, { x: 2 }, { x: 1 }], 'a/b': true })]).toEqual([
      ['', { count: 1, values: new Set() }],
      ['/list', { count: 1, values: new Set() }],
      ['/list/~2', { count: 3, values: new Set() }],
      ['/list/~2/x', { count: 3, values: new Set(['1', '2']) }],
      ['/a~1b', { count: 1, values: new Set(['true']) }],
    ]);
  });

  it('keeps a limited number of members and values, and no long values', () => {
    const many = given({ ...Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`m${i}`, i])) });
    expect(many.size).toBe(2_000);
    const list = given({ list: Array.from({ length: 5_000 }, (_, i) => i), long: 'x'.repeat(1_000) });
    expect(list.get('/list/~2')).toMatchObject({ count: 5_000 });
    expect(list.get('/list/~2')?.values.size).toBe(200);
    expect(list.get('/long')).toEqual({ count: 1, values: new Set() });
  });
});
