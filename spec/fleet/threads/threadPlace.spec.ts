import { firstValueFrom, throwError } from 'rxjs';
import type { NatsLink } from '../../../src/fleet/link/natsLink';
import { inNats, openPlace } from '../../../src/fleet/threads/threadPlace';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { ThreadError } from '../../../src/threads/threadError';
import { marbles } from '../../support/marbles';

describe('openPlace', () => {
  it.each(['a b', 'a.b', '*', 'x'.repeat(65)])('refuses a store named %j before it asks the server', async (name) => {
    const link = { prefix: 'p', address: 'nats://h:4222' } as NatsLink;
    const refused = firstValueFrom(openPlace(link, name));
    await expect(refused).rejects.toThrow(ThreadError);
    await expect(refused).rejects.toThrow(
      'a thread store has a name of letters, digits, - and _, up to 64 of them. Set thread_store in config.toml.',
    );
  });
});

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
