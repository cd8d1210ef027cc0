import { EMPTY, of, throwError } from 'rxjs';
import { acknowledgeOutput } from '../../src/executor/acknowledgeOutput';
import type { ProcessEvent } from '../../src/protocol/exec';
import { marbles } from '../support/marbles';

const output = (seq: number, size: number): ProcessEvent => ({
  kind: 'output',
  seq,
  stream: 'stdout',
  chunk: new Uint8Array(size),
});
const events = {
  a: output(1, 40_000),
  b: output(2, 30_000),
  c: output(3, 65_535),
  d: output(4, 1),
  x: { kind: 'exited', seq: 5, exitCode: 0 } as ProcessEvent,
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

  it('acknowledges every 1,024 events', () => {
    const sent: number[] = [];
    const event$ = of(...Array.from({ length: 2_100 }, (_, at) => output(at + 1, 1)));
    event$.pipe(acknowledgeOutput((seq) => of(sent.push(seq)))).subscribe();
    expect(sent).toEqual([1_024, 2_048]);
  });

  it(
    'goes on behind one that fails, and does nothing where nothing is held back',
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
