import { acknowledgeEvery } from '../../src/executor/acknowledgeEvery';
import type { ProcessEvent } from '../../src/protocol/exec';
import { marbles } from '../support/marbles';

const output = (seq: number, size: number): ProcessEvent => ({
  kind: 'output',
  seq,
  stream: 'stdout',
  chunk: new Uint8Array(size),
});
const events = {
  a: output(1, 6),
  b: output(2, 4),
  c: output(3, 9),
  d: output(4, 0),
  x: { kind: 'exited', seq: 5, exitCode: 0 } as ProcessEvent,
};

describe('acknowledgeEvery', () => {
  it(
    'emits when so many bytes were received, and counts anew',
    marbles(({ hot, expectObservable }) => {
      const due$ = hot('a-b-c-d-x-|', events).pipe(acknowledgeEvery({ bytes: 10, events: 9 }));
      expectObservable(due$).toBe('--2-------|', { 2: 2 });
    }),
  );

  it(
    'emits when so many events were received, of any kind',
    marbles(({ hot, expectObservable }) => {
      const due$ = hot('a-b-d-x-#', events).pipe(acknowledgeEvery({ bytes: 99, events: 2 }));
      expectObservable(due$).toBe('--2---5-#', { 2: 2, 5: 5 });
    }),
  );
});
