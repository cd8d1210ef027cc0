import { EMPTY, of, Subject, takeWhile, throwError } from 'rxjs';
import { acknowledgeOutput, acknowledgeStored } from '../../src/executor/acknowledge';
import type { Process, Started } from '../../src/executor/backend';
import type { ProcessEvent } from '../../src/protocol/exec/process';
import { marbles } from '../support/marbles';
import { bytes, closed, exited, failed } from './events';

const output = {
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
        return cold<void>('----(r|)');
      };
      expectObservable(hot('a-b-cd-x----|', output).pipe(acknowledgeOutput(acknowledge))).toBe('------------|');
      flush();
      expect(sent).toEqual([2, 4]);
    }),
  );

  it(
    'lets an acknowledgement that takes long be completed, and sends the next after it',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const first$ = cold<void>('     --------|   ');
      const second$ = cold<void>('            --| ');
      const acknowledged = [first$, second$];
      const event$ = hot('   a-b-cd-------------|', output);
      const next = () => acknowledged.shift() ?? EMPTY;
      expectObservable(event$.pipe(acknowledgeOutput(next))).toBe('-------------------|');
      expectSubscriptions(first$.subscriptions).toBe('--^-------!');
      expectSubscriptions(second$.subscriptions).toBe('----------^-!');
    }),
  );

  it('acknowledges every 1,024 events', () => {
    const sent: number[] = [];
    const event$ = of(...Array.from({ length: 2_100 }, (_, at) => bytes(at + 1, 1)));
    event$.pipe(acknowledgeOutput((seq) => of(void sent.push(seq)))).subscribe();
    expect(sent).toEqual([1_024, 2_048]);
  });

  it(
    'goes on after one that fails, and errors with its source',
    marbles(({ hot, expectObservable, flush }) => {
      const sent: number[] = [];
      const acknowledge = (seq: number) => {
        sent.push(seq);
        return throwError(() => new Error('lost'));
      };
      expectObservable(hot('abcd-|', output).pipe(acknowledgeOutput(acknowledge))).toBe('-----|');
      expectObservable(hot('ab-#', output).pipe(acknowledgeOutput(() => EMPTY))).toBe('---#');
      flush();
      expect(sent).toEqual([2, 4]);
    }),
  );
});

const stored: Record<string, Started | ProcessEvent> = {
  S: { kind: 'started', process: {} as Process },
  a: bytes(1, 1_000_000),
  b: bytes(2, 48_576),
  c: bytes(3, 10),
  z: closed(4),
  F: failed(1, 'no'),
};

/** Passes all on, and acknowledges these at these frames. */
const acknowledges = (script: string, acknowledged: string) =>
  marbles(({ hot, expectObservable }) => {
    const acknowledged$ = new Subject<string>(); // the wire from the operator to what the spec expects
    const acknowledge = (seq: number) => acknowledged$.next(String(seq));
    expectObservable(acknowledged$).toBe(acknowledged);
    expectObservable(hot(script, stored).pipe(acknowledgeStored(acknowledge))).toBe(script, stored);
  });

describe('acknowledgeStored', () => {
  it('acknowledges a MiB at once, and starts again', acknowledges('S-a-b-c-', '----2 497ms 3'));

  it('acknowledges half a second after an event at the latest', acknowledges('S-c 700ms c 600ms |', '-- 500ms 3'));

  it('acknowledges once if nothing came since', acknowledges('S-(ab) 900ms |', '--2'));

  it('acknowledges nothing of a failure', acknowledges('F|', '-'));

  it(
    'acknowledges the close at once, before it is passed on to a reader that ends with it',
    marbles(({ hot, expectObservable }) => {
      const acknowledged$ = new Subject<string>(); // the wire from the operator to what the spec expects
      const acknowledge = (seq: number) => acknowledged$.next(String(seq));
      expectObservable(acknowledged$).toBe('----4');
      const out$ = hot('S-c-z-', stored).pipe(
        acknowledgeStored(acknowledge),
        takeWhile(({ kind }) => kind !== 'closed', true),
      );
      expectObservable(out$).toBe('S-c-(z|)', stored);
    }),
  );
});
