import { throwError } from 'rxjs';
import { inNats } from '../../../src/fleet/threads/storeFault';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { ThreadError } from '../../../src/threads/threadError';
import { marbles } from '../../support/marbles';

describe('inNats', () => {
  it.each([
    [
      new NatsError('unreachable', 'no server'),
      'The thread store nats://a/s cannot be used: no server. Check the address in thread_store of config.toml.',
    ],
    [new NatsError('full', 'it is full'), 'The thread store nats://a/s cannot be used: it is full.'],
  ])('names the store, the cause and the remedy: %s', (fault, text) =>
    marbles(({ expectObservable }) => {
      expectObservable(throwError(() => fault).pipe(inNats('nats://a/s'))).toBe('#', {}, new ThreadError(text));
    })(),
  );

  it(
    'passes all else',
    marbles(({ cold, expectObservable }) => {
      const own = new ThreadError('in use');
      expectObservable(cold('-a|').pipe(inNats('n'))).toBe('-a|');
      expectObservable(throwError(() => own).pipe(inNats('n'))).toBe('#', {}, own);
    }),
  );
});
