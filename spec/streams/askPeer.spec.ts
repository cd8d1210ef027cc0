import { EMPTY, map, merge, mergeMap, NEVER, type Observable, of, Subject, timer } from 'rxjs';
import { askPeer } from '../../src/streams';
import { marbles } from '../support/marbles';

type Answer = { id: number | string; says: string };

const answer: Record<string, Answer> = {
  y: { id: 0, says: 'yes' },
  n: { id: 0, says: 'no' },
  o: { id: 1, says: 'one' },
  s: { id: '0', says: 'other' },
};
/** Q and R are the questions 0 and 1; T, L, O what follows their answers. */
const out = { Q: 'ask 0', R: 'ask 1', T: 'heard yes', L: 'heard late', O: 'heard one' };
const question = (id: Answer['id']) => `ask ${id}`;
const then = ({ says }: Answer) => of(`heard ${says}`);

const counter = () => {
  let next = 0;
  return () => next++;
};
const askOf = (answer$: Observable<Answer>, instead?: (id: Answer['id']) => Observable<Answer>) =>
  askPeer<Answer>({ answer$, newId: counter(), ...(instead && { instead }) });

describe('askPeer', () => {
  it(
    'emits the question at once and what follows from its answer; others are not its own',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const answer$ = hot('-s-o-y-n', answer);
      const expected = '   Q----(T|)';
      expectObservable(askOf(answer$)(question, then)).toBe(expected, out);
      expectSubscriptions(answer$.subscriptions).toBe('^----!');
    }),
  );

  it(
    'hears an answer that comes while the question is still on its way out',
    marbles(({ expectObservable }) => {
      const answer$ = new Subject<Answer>();
      const asked$ = askOf(answer$)(question, then);
      const peer$ = asked$.pipe(
        mergeMap((said) => {
          if (said === out.Q) answer$.next(answer.y as Answer);
          return of(said);
        }),
      );
      expectObservable(peer$).toBe('(TQ|)', out);
    }),
  );

  it(
    'asks under a new id each time it is subscribed; 0 is an id',
    marbles(({ hot, expectObservable }) => {
      const answer$ = hot(' -----o-y-|', answer);
      const expected = '    (QR)-O-(T|)';
      const asked$ = askOf(answer$)(question, then);
      expectObservable(merge(asked$, asked$)).toBe(expected, out);
    }),
  );

  it(
    'goes on as long as what follows does',
    marbles(({ hot, cold, expectObservable }) => {
      const answer$ = hot(' --y', answer);
      const next$ = cold('    -a-b|');
      const expected = '    Q--a-b|';
      expectObservable(askOf(answer$)(question, () => next$)).toBe(expected, { ...out, a: 'a', b: 'b' });
    }),
  );

  it(
    'ends without an answer when none can come any more',
    marbles(({ hot, expectObservable }) => {
      expectObservable(askOf(hot('--o-|', answer))(question, then)).toBe('Q---|', out);
      expectObservable(askOf(hot('-----', answer))(question, then)).toBe('Q----', out);
      expectObservable(askOf(EMPTY)(question, then)).toBe('(Q|)', out);
    }),
  );

  it(
    'takes the answer in the place of a silent peer; a later one is not heard',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const late = (id: Answer['id']) => timer(5).pipe(map(() => ({ id, says: 'late' })));
      const answer$ = hot(' ------y--|', answer);
      const expected = '    Q----(L|)';
      expectObservable(askOf(answer$, late)(question, then)).toBe(expected, out);
      expectSubscriptions(answer$.subscriptions).toBe('^----!');
    }),
  );

  it(
    'forgets the answer in place once the peer has spoken',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const silence$ = cold<Answer>('-----n', answer);
      const answer$ = hot('          --y', answer);
      const expected = '             Q-(T|)';
      expectObservable(askOf(answer$, () => silence$)(question, then)).toBe(expected, out);
      expectSubscriptions(silence$.subscriptions).toBe('^-!');
    }),
  );

  it(
    'forgets the question when nobody listens, and stops what follows',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const answer$ = hot('  -----y', answer);
      expectObservable(askOf(answer$)(question, then), '--!').toBe('Q', out);
      expectSubscriptions(answer$.subscriptions).toBe('^-!');
      const next$ = cold<string>('-----|');
      expectObservable(
        askOf(of(answer.y as Answer))(question, () => next$),
        '--!',
      ).toBe('Q', out);
      expectSubscriptions(next$.subscriptions).toBe('^-!');
    }),
  );

  it(
    'errors with the answers, with what follows, and with what its functions throw',
    marbles(({ hot, expectObservable }) => {
      const fail = () => {
        throw 'error';
      };
      expectObservable(askOf(hot<Answer>('--#'))(question, then)).toBe('Q-#', out);
      expectObservable(askOf(hot('--y', answer))(question, fail)).toBe('Q-#', out);
      expectObservable(askOf(NEVER)(fail, then)).toBe('#');
      expectObservable(askPeer<Answer>({ answer$: NEVER, newId: fail })(question, then)).toBe('#');
    }),
  );
});
