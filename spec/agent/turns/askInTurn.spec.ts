import { merge, mergeMap, type Observable, of, takeUntil } from 'rxjs';
import { askInTurn, countQuestions } from '../../../src/agent/turns/askInTurn';
import type { Ask, ReviewResult } from '../../../src/protocol/codex/engine';
import { request } from '../../../src/protocol/rpc/request';
import { marbles } from '../../support/marbles';

type Answered = { id: number; verdict: ReviewResult };
const yes: ReviewResult = { decision: 'approved' };
/** 0, 1, 2 are the verdicts of the questions of these ids. */
const answers: Record<string, Answered> = {
  0: { id: 0, verdict: yes },
  1: { id: 1, verdict: yes },
  2: { id: 2, verdict: yes },
};

const personOf = (answer$: Observable<Answered>): Ask => {
  let next = 0;
  const ask = request<Answered>({ response$: answer$, newId: () => next++ });
  return (_, question, then) => ask(question, ({ id, verdict }) => then({ ...verdict, question: id }));
};
const about = { callId: 'a', askable: true };
const byTask = { ...about, asksByTask: true } as const;
/** A question that is shown as its own letter, and its verdict as the capital. */
const asking = (ask: Ask, letter: string, who: Parameters<Ask>[0] = about) =>
  ask<string>(
    who,
    () => letter,
    () => of(letter.toUpperCase()),
  );

describe('askInTurn', () => {
  it(
    'holds back a question until the one before has its verdict',
    marbles(({ hot, expectObservable }) => {
      const ask = askInTurn(personOf(hot('--0---1---2|', answers)));
      const out$ = merge(asking(ask, 'a'), asking(ask, 'b'), asking(ask, 'c'));
      expectObservable(out$).toBe('a-(Ab)(Bc)(C|)');
    }),
  );

  it(
    'lets the next question go where one is withdrawn, asked or not',
    marbles(({ hot, expectObservable }) => {
      const ask = askInTurn(personOf(hot('--------1---|', answers)));
      const withdrawn$ = hot('             ---x');
      const out$ = merge(
        asking(ask, 'a').pipe(takeUntil(withdrawn$)),
        asking(ask, 'b').pipe(takeUntil(hot('-x'))),
        asking(ask, 'c'),
      );
      expectObservable(out$).toBe('a--c----(C|)');
    }),
  );

  it(
    'goes on where nobody can be asked',
    marbles(({ expectObservable }) => {
      const nobody: Ask = (_about, _question, then) => then({ decision: 'denied', reason: 'nobody' });
      const ask = askInTurn(nobody);
      expectObservable(merge(asking(ask, 'a'), asking(ask, 'b'))).toBe('(AB|)');
    }),
  );

  it(
    'asks at once by a task',
    marbles(({ hot, expectObservable }) => {
      const ask = askInTurn(personOf(hot('--------1--0---', answers)));
      const out$ = merge(asking(ask, 'a', byTask), asking(ask, 'b', byTask));
      expectObservable(out$).toBe('       (ab)----B--(A|)');
    }),
  );
});

describe('countQuestions', () => {
  it(
    'is true while a question of the call is open that asks by a task',
    marbles(({ hot, expectObservable }) => {
      const { ask, isAsking } = countQuestions(personOf(hot('-------1----', answers)));
      const withdrawn$ = hot('                               ---------x');
      const asked$ = merge(asking(ask, 'a', byTask).pipe(takeUntil(withdrawn$)), asking(ask, 'b', byTask));
      expectObservable(hot('--x').pipe(mergeMap(() => asked$))).toBe('--(ab)-B');
      expectObservable(isAsking('a')).toBe('f-t------f', { t: true, f: false });
      expectObservable(isAsking('b')).toBe('f', { f: false });
    }),
  );

  it(
    'does not count questions of other calls',
    marbles(({ hot, expectObservable }) => {
      const { ask, isAsking } = countQuestions(personOf(hot('-------0----', answers)));
      expectObservable(hot('--x').pipe(mergeMap(() => asking(ask, 'a')))).toBe('--a----A');
      expectObservable(isAsking('a')).toBe('f', { f: false });
    }),
  );
});
