import { EMPTY, of, throwError } from 'rxjs';
import { acknowledgeOutput } from '../../src/executor/processTransport';
import { marbles } from '../support/marbles';
import { bytes, exited } from './events';

const events = {
  a: bytes(1, 40_000),
  b: bytes(2, 30_000),
  c: bytes(3, 65_535),
  d: bytes(4, 1),
  x: exited(5),
};

describe('acknowledgeOutput', () => {
  it(
    'acknowledges every 64 KiB, once the acknowledgement before is through',
    marbles(({ hot, cold, expectObservable, flush }) => {
      const sent: number[] = [];
      const acknowledge = (seq: number) => {
        sent.push(seq);
        return cold('----(r|)');
      };
      expectObservable(hot('a-b-cd-x----|', events).pipe(acknowledgeOutput(acknowledge))).toBe('------------|');
      flush();
      expect(sent).toEqual([2, 4]);
    }),
  );

  it(
    'lets an acknowledgement that takes long be completed, and sends the next after it',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const first$ = cold('     --------|   ');
      const second$ = cold('            --| ');
      const acknowledged = [first$, second$];
      const event$ = hot('   a-b-cd-------------|', events);
      const next = () => acknowledged.shift() ?? EMPTY;
      expectObservable(event$.pipe(acknowledgeOutput(next))).toBe('-------------------|');
      expectSubscriptions(first$.subscriptions).toBe('--^-------!');
      expectSubscriptions(second$.subscriptions).toBe('----------^-!');
    }),
  );

  it('acknowledges every 1,024 events', () => {
    const sent: number[] = [];
    const event$ = of(...Array.from({ length: 2_100 }, (_, at) => bytes(at + 1, 1)));
    event$.pipe(acknowledgeOutput((seq) => of(sent.push(seq)))).subscribe();
    expect(sent).toEqual([1_024, 2_048]);
  });

  it(
    'goes on after one that fails, and does nothing where nothing is held back',
    marbles(({ hot, expectObservable, flush }) => {
      const sent: number[] = [];
      const acknowledge = (seq: number) => {
        sent.push(seq);
        return throwError(() => new Error('lost'));
      };
      expectObservable(hot('abcd-|', events).pipe(acknowledgeOutput(acknowledge))).toBe('-----|');
      expectObservable(hot('abcd-|', events).pipe(acknowledgeOutput(undefined))).toBe('|');
      expectObservable(hot('ab-#', events).pipe(acknowledgeOutput(() => EMPTY))).toBe('---#');
      flush();
      expect(sent).toEqual([2, 4]);
    }),
  );
});
