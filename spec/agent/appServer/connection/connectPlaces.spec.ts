import { connectPlaces } from '../../../../src/agent/appServer/appServerAgent';
import type { Link } from '../../../../src/agent/appServer/connection/link';
import { marbles } from '../../../support/marbles';

const links = { s: { name: 's' } as unknown as Link, t: { name: 't' } as unknown as Link };

describe('connectPlaces', () => {
  it(
    'stays with one server of each place, and starts another when one is gone and a thread opens there',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const a = { link$: cold('-s--#', links) };
      const b = { link$: cold('-t', links) };
      const used$ = hot('      a-b-a-a|', { a, b });
      expectObservable(used$.pipe(connectPlaces()), '---------!').toBe('-s-t---s-', links);
      expectSubscriptions(a.link$.subscriptions).toBe(['^---!', '------^--!']);
      expectSubscriptions(b.link$.subscriptions).toBe('--^------!');
    }),
  );

  it(
    'ends with its source where no server is left, and leaves all with its reader',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const a = { link$: cold<Link>('-#') };
      expectObservable(hot('a--|', { a }).pipe(connectPlaces())).toBe('---|');
      expectObservable(hot('|', { a }).pipe(connectPlaces())).toBe('|');
      const b = { link$: cold('s', links) };
      expectObservable(hot('b', { b }).pipe(connectPlaces()), '--!').toBe('s', links);
      expectSubscriptions(b.link$.subscriptions).toBe('^-!');
    }),
  );
});
