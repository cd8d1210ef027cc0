import { NEVER, type Observable } from 'rxjs';
import { NoAnswer, sharedServer } from '../../../src/executor/sandboxPatches/filesInside';
import type { Peer } from '../../../src/protocol/rpc/peer';
import { marbles } from '../../support/marbles';

const limits = { idleMs: 20, limitsMs: { patch: 10 }, usualMs: 2_000, goneMs: 5 };
const late = new NoAnswer('patch', 10);

/** A server that answers a method as `answers` says. */
const peerOf = (answers: Record<string, Observable<unknown>>) => ({
  P: { request: (method: string) => answers[method] ?? NEVER } as unknown as Peer,
});

describe('sharedServer', () => {
  it(
    'starts with the first request, serves those that follow, and ends when it was idle',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const peer$ = cold('--P', peerOf({ read: cold('-r|') }));
      const { request } = sharedServer({ ...limits, peer$ });
      expectObservable(request('read', {})).toBe('---r|');
      expectObservable(request('read', {}), '-----^').toBe('------r|');
      expectSubscriptions(peer$.subscriptions).toBe('^------ 20ms !');
    }),
  );

  it(
    'ends a server that does not answer in time, and errors when it is surely gone',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const peer$ = cold('--P', peerOf({}));
      const { request } = sharedServer({ ...limits, peer$ });
      expectObservable(request('patch', {})).toBe('10ms 5ms #', undefined, late);
      expectSubscriptions(peer$.subscriptions).toBe('^ 9ms !');
    }),
  );

  it(
    'counts the start of the server too',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const peer$ = cold<Peer>('---');
      expectObservable(sharedServer({ ...limits, peer$ }).request('patch', {})).toBe('15ms #', undefined, late);
      expectSubscriptions(peer$.subscriptions).toBe('^ 9ms !');
    }),
  );

  it(
    'errors other requests to the server that is ended, at once, and starts another for the next',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const peer$ = cold('--P', peerOf({ read: cold(' 6ms r|') }));
      const { request, alive$ } = sharedServer({ ...limits, peer$ });
      expectObservable(request('patch', {})).toBe('15ms #', undefined, late);
      expectObservable(request('other', {})).toBe('10ms #', undefined, late);
      expectObservable(alive$).toBe('             10ms |');
      expectObservable(request('read', {}), '11ms ^').toBe('19ms r|');
      expectSubscriptions(peer$.subscriptions).toBe(['^ 9ms !', '11ms ^ 8ms 20ms !']);
    }),
  );

  it(
    'ends a server that does not answer a method without a limit of its own within the usual one',
    marbles(({ cold, expectObservable }) => {
      const peer$ = cold('P', peerOf({ read: cold('1s r|') }));
      const { request } = sharedServer({ ...limits, peer$ });
      expectObservable(request('read', {})).toBe('1s r|');
      expectObservable(request('stuck', {})).toBe('2s 5ms #', undefined, new NoAnswer('stuck', 2_000));
    }),
  );

  it(
    'passes on why the server is lost, or refuses',
    marbles(({ cold, expectObservable }) => {
      expectObservable(sharedServer({ ...limits, peer$: cold<Peer>('--#') }).request('patch', {})).toBe('--#');
      const peer$ = cold('P', peerOf({ patch: cold('-#') }));
      expectObservable(sharedServer({ ...limits, peer$ }).request('patch', {})).toBe('-#');
    }),
  );
});
