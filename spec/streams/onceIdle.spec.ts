import { onceIdle } from '../../src/streams';
import { marbles } from '../support/marbles';

describe('onceIdle', () => {
  it.each([
    // in                out
    [' a-b--------c--|', '------(b|)'],
    [' a--------------', '----(a|)'],
    [' a-b-c-d-e-|    ', '----------|'],
    [' a----|         ', '----(a|)'],
    [' a---|          ', '----|'],
    [' a--|           ', '---|'],
    [' --#            ', '--#'],
    [' ---------|     ', '---------|'],
  ])('%s is %s', (input, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(input).pipe(onceIdle(4))).toBe(expected);
    })(),
  );
});
