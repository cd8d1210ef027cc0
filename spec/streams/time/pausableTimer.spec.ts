import { NEVER } from 'rxjs';
import { noBackpressure } from '../../../src/streams/backpressure/backpressure';
import { type PausableTimerDeps, pausableTimer } from '../../../src/streams/time/pausableTimer';
import { marbles } from '../../support/marbles';
import { clockMs, jumpTimeOfDay, TIMES_OF_DAY } from '../../support/timeOfDay';

const t = 0;

afterEach(() => jest.restoreAllMocks());

describe.each(TIMES_OF_DAY)('pausableTimer, while the time of day %s', (_, byMs) => {
  beforeEach(() => jumpTimeOfDay(byMs));

  it.each<[string, string, string, string]>([
    ['is a timer where nothing is ever full', 'a-a-a----', '---------', '-----(t|)'],
    [
      'stands still from an element that finds the queue full until the drain',
      'a--b-----',
      '------d--',
      '--------(t|)',
    ],
    ['stands still twice', 'ab----b-----', '----d----d--', '-----------(t|)'],
    ['does not stand still for a queue that is full while the source is silent', 'a--------', '------d--', '-----(t|)'],
    ['counts on after a drain where the source is silent', 'b--------', '--d------', '-------(t|)'],
    ['waits for a drain that does not come', 'a-b-----------', '--------------', '--------------'],
    ['counts on after the end of its source', '-|', '---------', '-----(t|)'],
  ])('%s', (_, source, drain, out) =>
    marbles(({ hot, expectObservable }) => {
      const full = { now: false };
      const source$ = hot(source);
      const drain$ = hot(drain);
      const deps: PausableTimerDeps = { isFull: () => full.now, drain$, clockMs: () => clockMs() + 1_000 };
      source$.subscribe((letter) => {
        full.now = letter === 'b';
      });
      expectObservable(source$.pipe(pausableTimer(deps, 5))).toBe(out, { t });
    })(),
  );

  it(
    'passes on an error of its source, and cuts a time that no timer can wait',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('--#').pipe(pausableTimer({ ...noBackpressure, clockMs }, 5))).toBe('--#');
      expectObservable(
        NEVER.pipe(pausableTimer({ ...noBackpressure, clockMs }, Number.POSITIVE_INFINITY)),
        '9s !',
      ).toBe('----');
    }),
  );

  it(
    'leaves source and drain with its subscriber, and when it has emitted',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const [source$, drain$] = [hot('a--'), hot('---')];
      const deps: PausableTimerDeps = { isFull: () => false, drain$, clockMs };
      expectObservable(source$.pipe(pausableTimer(deps, 5)), '---!').toBe('----');
      expectObservable(source$.pipe(pausableTimer(deps, 2))).toBe('--(t|)', { t });
      for (const { subscriptions } of [source$, drain$]) expectSubscriptions(subscriptions).toBe(['^--!', '^-!']);
    }),
  );
});
