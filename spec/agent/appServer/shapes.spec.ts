import fc from 'fast-check';
import * as shapes from '../../../src/agent/appServer/shapes';

const { read, ...rest } = shapes;
const SHAPES = Object.entries(rest).filter(([, shape]) => typeof shape === 'object');
const { AnyObject, DeltaParams, ErrorTextOrInfo, ItemParams, PlanParams } = shapes;

describe('read', () => {
  it.each(SHAPES)('reads anything as %s, with the members of an empty one', (_, shape) => {
    const membersOf = (value: unknown) => (typeof value === 'object' ? Object.keys(value as object).sort() : value);
    const isOpen = shape === AnyObject || shape === ErrorTextOrInfo;
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const result = read(shape as typeof DeltaParams, value);
        if (!isOpen) expect(membersOf(result)).toEqual(membersOf(read(shape as typeof DeltaParams, {})));
      }),
    );
  });

  it.each<[string, object, unknown, unknown]>([
    ['what fits', DeltaParams, { delta: 'd', itemId: 'i', more: 1 }, { delta: 'd', itemId: 'i' }],
    ['a member of another type as empty', DeltaParams, { delta: 7, itemId: null }, { delta: '', itemId: '' }],
    ['no object as an empty one', DeltaParams, 'x', { delta: '', itemId: '' }],
    [
      'a list with strange members',
      PlanParams,
      { plan: [7, { step: 's' }] },
      {
        explanation: '',
        plan: [
          { step: '', status: '' },
          { step: 's', status: '' },
        ],
      },
    ],
    ['a list that is none', PlanParams, { plan: 'x' }, { explanation: '', plan: [] }],
    ['an error that is a text', ErrorTextOrInfo, 'gone', 'gone'],
    ['an error that is an object', ErrorTextOrInfo, { message: 'gone' }, 'gone'],
    ['no error', ErrorTextOrInfo, undefined, ''],
  ])('reads %s', (_, shape, value, expected) => {
    expect(read(shape as typeof DeltaParams, value)).toEqual(expected);
  });

  it('keeps the texts of an item, whether one had an error, and its exit code', () => {
    const items = [{}, { error: null }, { error: { message: 'no' } }, { summary: ['a', 7], exitCode: 0 }].map(
      (item) => read(ItemParams, { item }).item,
    );
    expect(items.map(({ error }) => error)).toEqual([null, null, { message: 'no' }, null]);
    expect(items.map(({ exitCode }) => exitCode)).toEqual([-1, -1, -1, 0]);
    expect(items[3]?.summary).toEqual(['a']);
  });
});
