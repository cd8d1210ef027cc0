import { merge, type Observable, of, takeUntil } from 'rxjs';
import { askInTurn } from '../../../src/agent/turns/askInTurn';
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
/** A question that is shown as its own letter, and its verdict as the capital. */
const asking = (ask: Ask, letter: string) =>
  ask<string>(
    about,
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
});
