import { EMPTY, finalize, mergeAll, mergeMap, NEVER, type Observable } from 'rxjs';
import { inputQueue } from '../../../../src/executor/server/process/inputQueue';
import type { WriteStatus } from '../../../../src/protocol/exec/process';
import { marbles } from '../../../support/marbles';
import { calm } from '../support';

const statuses = { a: 'accepted', s: 'stdinClosed' } as Record<string, WriteStatus>;
const bytes = (text: string) => Buffer.from(text);
const limits = { maxPendingBytes: 4, writeIds: 9 };

/** A process whose writes are listed. */
const processOf = (status$: Observable<WriteStatus>) => {
  const written: string[] = [];
  const write = (chunk: Uint8Array) => {
    written.push(String(chunk));
    return status$;
  };
  return { written, process: { ...calm, write, closeStdin: () => status$ } };
};

describe('inputQueue', () => {
  it(
    'writes what comes while the process takes other input together, and settles each',
    marbles(({ cold, hot, expectObservable }) => {
      const { process } = processOf(cold('---(a|)', statuses));
      const input = inputQueue(limits);
      const write$ = hot('a-b-', { a: ['1'], b: ['2', '3'] }).pipe(
        mergeMap((texts) => texts.map((text) => input.write({ process, chunk: bytes(text) }))),
        mergeAll(),
      );
      expectObservable(input.run$, '--------!').toBe('-');
      expectObservable(write$).toBe('---a--(aa)', statuses);
    }),
  );

  it('gives a repeated write the status of the first, and writes it once', () => {
    const { process, written } = processOf(NEVER);
    const input = inputQueue(limits);
    input.run$.subscribe();
    const write = { process, chunk: bytes('x'), writeId: '1' };
    expect(input.write(write)).toBe(input.write(write));
    expect(written).toEqual(['x']);
  });

  it('refuses what is more than may wait', () => {
    const { process } = processOf(NEVER);
    const input = inputQueue(limits);
    input.run$.subscribe();
    input.write({ process, chunk: bytes('123') });
    expect(() => input.write({ process, chunk: bytes('45') })).toThrow('stdin is full: 3 bytes wait');
    expect(() => input.write({ process, chunk: bytes('4') })).not.toThrow();
  });

  it(
    'closes after what waits, and completes after its end',
    marbles(({ cold, hot, expectObservable }) => {
      const { process } = processOf(cold('--(a|)', statuses));
      const input = inputQueue(limits);
      const settled$ = hot('(abc)-e', {
        a: () => input.write({ process, chunk: bytes('1') }),
        b: () => input.write({ process, chunk: bytes('2') }),
        c: () => input.close(process),
        e: () => EMPTY.pipe(finalize(input.end)),
      }).pipe(mergeMap((act) => act()));
      expectObservable(input.run$).toBe('------|');
      expectObservable(settled$).toBe('--a-a-a', statuses);
    }),
  );
});
