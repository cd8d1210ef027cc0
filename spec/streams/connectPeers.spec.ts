import { concatMap, delay, filter, ignoreElements, map, merge, type Observable, of } from 'rxjs';
import { connectPeers } from '../../src/streams/connectPeers';
import { marbles } from '../support/marbles';

const near = (item: string) => ({ from: 'near', item }) as const;
const far = (item: string) => ({ from: 'far', item }) as const;
const sent = { n: near('n'), m: near('m'), N: far('N'), M: far('M'), A: far('A') };

/** Emits n at once, and m when it receives N. */
const curious = (in$: Observable<string>): Observable<string> =>
  merge(
    of('n'),
    in$.pipe(
      filter((item) => item === 'N'),
      map(() => 'm'),
    ),
  );

/** Answers each word with its capital, four frames later. */
const echo = (out$: Observable<string>): Observable<string> =>
  out$.pipe(concatMap((item) => of(item.toUpperCase()).pipe(delay(4))));

describe('connectPeers', () => {
  it(
    'connects each side to the other, and emits a request before its response',
    marbles(({ expectObservable }) => {
      expectObservable(connectPeers(curious, echo)).toBe('n---(Nm)M', sent);
    }),
  );

  it(
    'receives what the far side sends unasked',
    marbles(({ cold, expectObservable }) => {
      const far$ = cold('--A---N---|');
      const unasked = (out$: Observable<string>) => merge(out$.pipe(ignoreElements()), far$);
      expectObservable(connectPeers(curious, unasked), '----------!').toBe('n-A---(Nm)', sent);
    }),
  );

  it(
    'completes with the far side, also when the near side still waits',
    marbles(({ cold, expectObservable }) => {
      expectObservable(
        connectPeers(
          () => cold('n--------m'),
          () => cold('---A|'),
        ),
      ).toBe('---A|', sent);
    }),
  );

  it(
    'errors with the far side',
    marbles(({ cold, expectObservable }) => {
      expectObservable(connectPeers(curious, () => cold('---#'))).toBe('---#', sent);
    }),
  );

  it(
    'stops both sides when nobody listens any more',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const words$ = hot(' --n--m--n--');
      const answers$ = cold('---A---A---');
      const unsub = '      ------!';
      const through = (out$: Observable<string>) => merge(out$.pipe(filter(() => false)), answers$);
      expectObservable(
        connectPeers(() => words$, through),
        unsub,
      ).toBe('--nA-m-', sent);
      expectSubscriptions(words$.subscriptions).toBe('^-----!');
      expectSubscriptions(answers$.subscriptions).toBe('^-----!');
    }),
  );
});
