import { frameMarbles, nextOf, selectMarble, stepFrom } from '../../../src/tapes/page/reduce';
import { type Move, openState } from '../../../src/tapes/page/state';
import { modelOf } from './model';

const model = modelOf(
  Array.from({ length: 100 }, (_, i) => ({ lane: i % 2 })),
  [[0, 3, 0, 0]],
);
const state = openState(model, 852);

describe('selectMarble', () => {
  it('moves the view only for a marble that is not in sight', () => {
    expect(selectMarble(state, 2)).toEqual({ ...state, selected: 2 });
    expect(selectMarble(state, 80).view.start).toBeGreaterThan(60);
  });

  it('leaves the state as it is where there is no such marble', () => {
    expect(selectMarble(state, undefined)).toBe(state);
    expect(selectMarble(state, 100)).toBe(state);
  });
});

describe('stepFrom', () => {
  it.each<[Move, number | undefined, number | undefined]>([
    ['next', undefined, 0],
    ['next', 99, undefined],
    ['previous', 5, 4],
    ['first', 5, 0],
    ['last', 5, 99],
    ['down', 4, 3],
    ['up', 5, 4],
    ['up', 4, undefined],
    ['partner', 0, 3],
    ['partner', 3, 0],
  ])('goes %s from %s to %s', (to, selected, marble) => {
    expect(stepFrom(model, { ...state, selected }, to)).toBe(marble);
  });
});

describe('nextOf', () => {
  it.each([
    [1, [undefined, 3, 7], [3, 7, 3]],
    [-1, [undefined, 5, 3], [7, 3, 7]],
  ] as const)('goes by %i in a circle', (by, selected, expected) => {
    expect(selected.map((one) => nextOf([3, 7], one, by))).toEqual(expected);
    expect(nextOf([], 3, by)).toBeUndefined();
  });
});

describe('frameMarbles', () => {
  it('shows a cluster larger; opens its first marble where it cannot be larger', () => {
    const framed = frameMarbles(state, { first: 4, last: 6 });
    expect(framed).toMatchObject({ selected: 4, open: false });
    expect(framed.view.span).toBeLessThan(state.view.span);
    expect(frameMarbles(framed, { first: 4, last: 6 })).toMatchObject({ selected: 4, open: true });
  });
});
