import { caught } from '../../../src/agent/turns/runOpened';
import { marbles } from '../../support/marbles';

describe('caught', () => {
  it(
    'is the stream that is made',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const made$ = cold('-a-|');
      expectObservable(caught(() => made$)).toBe('-a-|');
      expectObservable(caught(() => cold('-#'))).toBe('-#');
      expectObservable(
        caught(() => made$),
        '--!',
      ).toBe('-a-');
      expectSubscriptions(made$.subscriptions).toBe(['^--!', '^-!']);
    }),
  );

  it(
    'errors with what is thrown',
    marbles(({ expectObservable }) => {
      const thrown = new Error('boom');
      const throws = () => {
        throw thrown;
      };
      expectObservable(caught(throws)).toBe('#', undefined, thrown);
    }),
  );
});
