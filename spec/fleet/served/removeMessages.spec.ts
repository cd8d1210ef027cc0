import { type Observable, of, tap } from 'rxjs';
import { removeMessages } from '../../../src/fleet/served/serveExecutor';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';

const REFUSED = new NatsError('refused', 'denied');
const GONE = new NatsError('absent', 'gone');

type Results = readonly (Observable<string> | undefined)[];
/** A stream of which a message is removed by the result at its number, and what is before a number by `together`. */
const at = (results: Results, together: Observable<boolean> = of(false)) => ({
  remove: (stream: string, seq: number) =>
    (stream === 's' ? results[seq] : undefined) as unknown as Observable<boolean>,
  removeBefore: () => together,
});
const NONE_BEFORE = { own: 0, before: 0 };

describe('removeMessages', () => {
  it(
    'removes each message, also after one that is gone',
    marbles(({ cold, expectObservable }) => {
      const remove = removeMessages(at([cold('--(a|)'), cold('-#', {}, GONE), cold('---(b|)')]), 's');
      expectObservable(remove({ seqs: [0, 1, 2], ...NONE_BEFORE })).toBe('--a(b|)');
      expectObservable(remove({ seqs: [], ...NONE_BEFORE })).toBe('|');
    }),
  );

  it(
    'removes 32 at the same time, and the next when one is removed',
    marbles(({ cold, expectSubscriptions, expectObservable }) => {
      const results = Array.from({ length: 33 }, (_, i) => cold(i === 0 ? '-|' : '---|'));
      const seqs = results.map((_, i) => i);
      expectObservable(removeMessages(at(results), 's')({ seqs, ...NONE_BEFORE })).toBe('----|');
      expectSubscriptions(results[31]?.subscriptions ?? []).toBe('^--!');
      expectSubscriptions(results[32]?.subscriptions ?? []).toBe('-^--!');
    }),
  );

  it(
    'errors where the login may not remove',
    marbles(({ cold, expectObservable }) => {
      const remove = removeMessages(at([cold('-#', {}, REFUSED), cold('--(a|)')]), 's');
      expectObservable(remove({ seqs: [0, 1], ...NONE_BEFORE })).toBe('-#', {}, REFUSED);
    }),
  );

  const five = { seqs: [1, 2, 3, 4, 5], own: 1, before: 6 };

  it(
    'removes those together before which nobody needs one, then the others one by one',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const results = Array.from({ length: 7 }, (_, i) => cold('-(a|)', { a: String(i) }));
      const together$ = cold('--(t|)', { t: true });
      const remove = removeMessages(at(results, together$), 's');
      expectObservable(remove({ ...five, seqs: [1, 2, 3, 4, 5, 6] })).toBe('---(a|)', { a: '6' });
      expectSubscriptions(together$.subscriptions).toBe('^-!');
      for (const { subscriptions } of results.slice(0, 6)) expectSubscriptions(subscriptions).toBe([]);
    }),
  );

  it.each([
    ['where they are few', { ...five, before: 5 }, []],
    ['where the stream has messages of an executor before', five, ['together']],
  ])('removes them one by one %s', (_, removal, asked) => {
    const seen: string[] = [];
    const results = Array.from({ length: 6 }, (_, i) => of(String(i)));
    const together$ = of(false).pipe(tap(() => seen.push('together')));
    removeMessages(at(results, together$), 's')(removal).subscribe((seq) => seen.push(String(seq)));
    expect(seen).toEqual([...asked, '1', '2', '3', '4', '5']);
  });

  it(
    'asks once where the login may remove single messages only, and again behind another error',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const results = Array.from({ length: 6 }, () => cold('|'));
      const lost$ = cold<boolean>('-#', {}, new NatsError('timeout', 'late'));
      const denied$ = cold<boolean>('-#', {}, REFUSED);
      const [afterLoss, afterDenial] = [lost$, denied$].map((together$) => removeMessages(at(results, together$), 's'));
      expectObservable(afterLoss?.(five) ?? of()).toBe('-|');
      expectObservable(afterDenial?.(five) ?? of()).toBe('-|');
      expectObservable(cold('-----|').pipe(tap({ complete: () => afterDenial?.(five).subscribe() }))).toBe('-----|');
      expectObservable(cold('-----|').pipe(tap({ complete: () => afterLoss?.(five).subscribe() }))).toBe('-----|');
      expectSubscriptions(denied$.subscriptions).toBe('^!');
      expectSubscriptions(lost$.subscriptions).toBe(['^!', '-----^!']);
    }),
  );
});
