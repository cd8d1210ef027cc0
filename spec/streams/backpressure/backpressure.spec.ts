import { noBackpressure } from '../../../src/streams/backpressure/backpressure';
import { marbles } from '../../support/marbles';

describe('noBackpressure', () => {
  it(
    'never asks anyone to wait',
    marbles(({ expectObservable }) => {
      expect(noBackpressure.isFull()).toBe(false);
      expectObservable(noBackpressure.drain$).toBe('|');
    }),
  );
});
