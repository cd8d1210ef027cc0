import fc from 'fast-check';
import { entryOf, isOfTurn, numberOf, objectOf, textOf, textsOf } from '../../src/appServer/wire';
import { word } from './link';

describe('what is read from the server', () => {
  it('is of the kind that is wanted, whatever was said', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(typeof textOf(value)).toBe('string');
        expect(typeof numberOf(value)).toBe('number');
        expect(objectOf(value)).toBeInstanceOf(Object);
        expect(textsOf(value).every((each) => typeof each === 'string')).toBe(true);
      }),
    );
  });
});

describe('entryOf', () => {
  it('knows the words of its table only', () => {
    expect(['a', 'b', 'constructor', '__proto__'].map((name) => entryOf({ a: 1 }, name))).toEqual([
      1,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('isOfTurn', () => {
  const of = (turnId: string) => word('item/completed', { turnId });
  const starts = (id: string) => word('turn/started', { turn: { id } });
  it.each<[string, Parameters<typeof isOfTurn>[0], { now?: string; before?: string }, boolean]>([
    ['one that names no turn', word('warning'), { now: '2', before: '1' }, true],
    ['one of the turn', of('2'), { now: '2', before: '1' }, true],
    ['one of the turn before', of('1'), { now: '2', before: '1' }, false],
    ['one of another turn', of('0'), { now: '2', before: '1' }, false],
    ['the beginning of the turn, whose id it tells', starts('2'), { now: '1', before: '1' }, true],
    ['that of the first turn', starts('1'), {}, true],
    ['that of the turn before', starts('1'), { now: '1', before: '1' }, false],
    ['tokens of an old turn, as long as the id is not known', of('1'), {}, false],
  ])('%s', (_, said, turn, is) => {
    expect(isOfTurn(said, turn)).toBe(is);
  });
});
