import { map, of, timer } from 'rxjs';
import { demoClient } from '../../../src/app/demo/demoClient';
import { marbles } from '../../support/marbles';
import { CWD, heard, out } from './wire';

const deps = (isYes: boolean) => {
  let next = 0;
  return {
    newId: () => next++,
    approve: () => timer(3).pipe(map(() => isYes)),
    cwd: CWD,
    version: '1.0',
  };
};

describe('demoClient', () => {
  it(
    'opens, lists, calls, answers the question, goes on, and is done',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot(' --I---L--PQ-----C--R--|', heard);
      const expected = '  i-(nl)c------y--r--|';
      expectObservable(line$.pipe(demoClient(deps(true)))).toBe(expected, out);
    }),
  );

  it(
    'says no when the person does',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot(' --I---L--Q------C--R--|', heard);
      const expected = '  i-(nl)c-----x---r--|';
      expectObservable(line$.pipe(demoClient(deps(false)))).toBe(expected, out);
    }),
  );

  it(
    'refuses what it cannot do',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot(' --I---W--|', heard);
      const expected = '  i-(nl)u--|';
      expectObservable(line$.pipe(demoClient({ ...deps(true), approve: () => of(true) }))).toBe(expected, out);
    }),
  );

  it(
    'stops at an answer that is an error, and at a call that failed',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('--E', heard).pipe(demoClient(deps(true)))).toBe('i-|', out);
      expectObservable(hot('--I---L--F', heard).pipe(demoClient(deps(true)))).toBe('i-(nl)c--|', out);
    }),
  );

  it(
    'ends with a server that ends before its answer',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('---|', heard).pipe(demoClient(deps(true)))).toBe('i--|', out);
    }),
  );

  it(
    'stops listening early',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const line$ = hot(' --I------', heard);
      const unsub = '     -------!';
      expectObservable(line$.pipe(demoClient(deps(true))), unsub).toBe('i-(nl)', out);
      expectSubscriptions(line$.subscriptions).toBe('^------!');
    }),
  );
});
