import { keepServerAlive } from '../../../../src/agent/appServer/appServerAgent';
import { marbles } from '../../../support/marbles';

describe('keepServerAlive', () => {
  it.each([
    ['passes its source and holds the server until it ends', '-a--b-|', '-s-----', '-a--b-|', '^-----!'],
    ['holds it while the source never ends', '---', '-s-', '---', '^'],
    ['is empty as its source is', '-|', '-s', '-|', '^!'],
    ['goes on where the server is lost', '-a--b-|', '-s#', '-a--b-|', '^-!'],
    ['errors with its source', '-a-#', '-s--', '-a-#', '^--!'],
  ])('%s', (_, source, server, expected, held) =>
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const server$ = cold(server);
      expectObservable(hot(source).pipe(keepServerAlive(server$))).toBe(expected);
      expectSubscriptions(server$.subscriptions).toBe(held);
    })(),
  );

  it(
    'releases the server when it is unsubscribed',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const server$ = cold('-s');
      expectObservable(hot('-a--').pipe(keepServerAlive(server$)), '^--!').toBe('-a-');
      expectSubscriptions(server$.subscriptions).toBe('^--!');
    }),
  );
});
