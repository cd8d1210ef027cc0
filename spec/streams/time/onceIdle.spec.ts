import { onceIdle } from '../../../src/streams/time/onceIdle';
import { marbles } from '../../support/marbles';
import { jumpTimeOfDay, TIMES_OF_DAY } from '../../support/timeOfDay';

afterEach(() => jest.restoreAllMocks());

describe.each(TIMES_OF_DAY)('onceIdle, while the time of day %s', (_, byMs) => {
  beforeEach(() => jumpTimeOfDay(byMs));

  it.each([
    // in                out
    [' a-b--------c--|', '------(b|)'],
    [' a--------------', '----(a|)'],
    [' a-b-c-d-e-|    ', '----------|'],
    [' a---b---------|', '--------(b|)'],
    [' a------|       ', '----(a|)'],
    [' a----|         ', '----(a|)'],
    [' a--|           ', '---|'],
    [' --#            ', '--#'],
    [' ---------|     ', '---------|'],
  ])('%s is %s', (input, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(input).pipe(onceIdle(4))).toBe(expected);
    })(),
  );

  it('emits up to a quarter later, when it looks', () =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('a--b-----------|').pipe(onceIdle(8))).toBe('------------(b|)');
    })());
});
