import { Subscription, tap, timer } from 'rxjs';
import { storeConnection } from '../../../src/fleet/threads/natsThreads';
import { marbles } from '../../support/marbles';

const background = (tasks: Subscription) => (task$: { subscribe: () => Subscription }) =>
  void tasks.add(task$.subscribe());

describe('storeConnection', () => {
  it(
    'is connected while somebody uses it, once for all',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const place$ = cold('-p');
      const { within } = storeConnection({ place$, background: () => {} });
      const used$ = within((place) => cold(`--(${place}|)`));
      expectObservable(used$).toBe('             ---(p|)');
      expectObservable(used$, '  ----^').toBe('  -------(p|)');
      expectObservable(
        within(() => cold('-|')),
        '-^',
      ).toBe('--|');
      expectSubscriptions(place$.subscriptions).toBe(['^--!', '----^--!']);
    }),
  );

  it(
    'stays connected once it is kept open, until it is closed',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const place$ = cold('-p');
      const tasks = new Subscription();
      const { within, keepOpen, closed } = storeConnection({ place$, background: background(tasks) });
      keepOpen();
      keepOpen();
      expectObservable(within(() => cold('-|'))).toBe('--|');
      timer(5)
        .pipe(tap(() => closed().subscribe()))
        .subscribe();
      expectSubscriptions(place$.subscriptions).toBe('^----!');
      flush();
    }),
  );

  it(
    'passes the error of the connection, and connects again',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const place$ = cold('-p--#');
      const tasks = new Subscription();
      const { within, keepOpen } = storeConnection({ place$, background: background(tasks) });
      keepOpen();
      expectObservable(within(() => cold('------|'))).toBe('----#');
      expectObservable(
        within(() => cold('-|')),
        '-----^',
      ).toBe('-------|');
      expectSubscriptions(place$.subscriptions).toBe(['^---!', '-----^-!']);
    }),
  );

  it(
    'passes the error of what was run, and stays',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const place$ = cold('p');
      const { within } = storeConnection({ place$, background: () => {} });
      expectObservable(within(() => cold('-#'))).toBe('-#');
      expectObservable(within(() => cold('--(a|)'))).toBe('--(a|)');
      expectSubscriptions(place$.subscriptions).toBe('^-!');
    }),
  );
});
