import { acknowledgeEvery } from '../../src/executor/acknowledgeEvery';
import { marbles } from '../support/marbles';
import { bytes, exited } from './events';

const events = {
  a: bytes(1, 6),
  b: bytes(2, 4),
  c: bytes(3, 9),
  d: bytes(4, 0),
  x: exited(5),
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
