import { merge, switchMap } from 'rxjs';
import { readySession } from '../../../src/io/mcpClient/renewSession';
import { marbles } from '../../support/marbles';

const t = { t: true };
const session = () => 's';
const onBegun = () => {};

describe('readySession', () => {
  it(
    'is there at once where none begins',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const begin$ = cold<never>('--|');
      const ready = readySession({ session, begin$, onBegun });
      expectObservable(merge(ready(), ready('before'))).toBe('(tt|)', t);
      expectSubscriptions(begin$.subscriptions).toBe([]);
    }),
  );

  it(
    'begins for the first who lost it, for all who wait, and again for a later loss',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const begin$ = cold<never>('---|');
      const ready = readySession({ session, begin$, onBegun });
      expectObservable(hot('-------x|').pipe(switchMap(() => ready('s')))).toBe('----------(t|)', t);
      expectObservable(ready('s')).toBe('---(t|)', t);
      expectObservable(hot('-x|').pipe(switchMap(() => ready('s')))).toBe('---(t|)', t);
      expectObservable(hot('--x|').pipe(switchMap(() => ready()))).toBe('---(t|)', t);
      expectSubscriptions(begin$.subscriptions).toBe(['^--!', '-------^--!']);
    }),
  );

  it(
    'does not make those wait who ask in onBegun',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const begin$ = cold<never>('---|');
      const order: string[] = [];
      const begun = () => ready().subscribe(() => order.push('begun'));
      const ready = readySession({ session, begin$, onBegun: begun });
      expectObservable(ready('s').pipe(switchMap(() => order.splice(0)))).toBe('---(t|)', { t: 'begun' });
      expectSubscriptions(begin$.subscriptions).toBe('^--!');
      flush();
    }),
  );

  it(
    'errors for all who wait where none begins, and tries again for the next',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const begin$ = cold<never>('---#', {}, new Error('no'));
      const ready = readySession({ session, begin$, onBegun });
      expectObservable(ready('s')).toBe('---#', {}, new Error('no'));
      expectObservable(ready()).toBe('---#', {}, new Error('no'));
      expectObservable(hot('----x').pipe(switchMap(() => ready()))).toBe('----t', t);
      expectObservable(hot('-----x').pipe(switchMap(() => ready('s')))).toBe('--------#', {}, new Error('no'));
      expectSubscriptions(begin$.subscriptions).toBe(['^--!', '-----^--!']);
    }),
  );

  it(
    'is given up when nobody waits any more',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const begin$ = cold<never>('-----|');
      const ready = readySession({ session, begin$, onBegun });
      expectObservable(ready('s'), '-!').toBe('-');
      expectObservable(ready('s'), '--!').toBe('-');
      expectSubscriptions(begin$.subscriptions).toBe('^-!');
    }),
  );
});
