import { noPressure } from '../../src/streams';
import { marbles } from '../support/marbles';

describe('noPressure', () => {
  it(
    'never asks anyone to wait',
    marbles(({ expectObservable }) => {
      expect(noPressure.isLong()).toBe(false);
      expectObservable(noPressure.drain$).toBe('|');
    }),
  );
});
