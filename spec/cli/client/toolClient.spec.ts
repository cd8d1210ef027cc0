import { map, of, timer } from 'rxjs';
import { toolClient } from '../../../src/cli/client/toolClient';
import { demoCalls, toAnswer } from '../../../src/cli/demo/scene';
import { marbles } from '../../support/marbles';
import { CWD, received, sent } from '../demo/wire';

const deps = (isYes: boolean) => {
  let next = 0;
  return {
    newId: () => next++,
    name: 'codex-rx-demo',
    version: '1.0',
    answer: () => timer(3).pipe(map(() => toAnswer(isYes))),
    calls: demoCalls(CWD),
  };
};

describe('toolClient', () => {
  it(
    'opens, lists, calls, answers the question, goes on, and is done',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot(' --I---L--PQ-----C--R--|', received);
      const expected = '  i-(nl)c------y--r--|';
      expectObservable(line$.pipe(toolClient(deps(true)))).toBe(expected, sent);
    }),
  );

  it(
    'declines when the person does',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot(' --I---L--Q------C--R--|', received);
      const expected = '  i-(nl)c-----x---r--|';
      expectObservable(line$.pipe(toolClient(deps(false)))).toBe(expected, sent);
    }),
  );

  it(
    'refuses what it cannot do',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot(' --I---W--|', received);
      const expected = '  i-(nl)u--|';
      expectObservable(line$.pipe(toolClient({ ...deps(true), answer: () => of({}) }))).toBe(expected, sent);
    }),
  );

  it(
    'stops at an answer that is an error, and at a call that failed',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('--E', received).pipe(toolClient(deps(true)))).toBe('i-|', sent);
      expectObservable(hot('--I---L--F', received).pipe(toolClient(deps(true)))).toBe('i-(nl)c--|', sent);
    }),
  );

  it(
    'ends with a server that ends before its answer',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('---|', received).pipe(toolClient(deps(true)))).toBe('i--|', sent);
    }),
  );

  it(
    'stops listening early',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const line$ = hot(' --I------', received);
      const unsub = '     -------!';
      expectObservable(line$.pipe(toolClient(deps(true))), unsub).toBe('i-(nl)', sent);
      expectSubscriptions(line$.subscriptions).toBe('^------!');
    }),
  );
});
