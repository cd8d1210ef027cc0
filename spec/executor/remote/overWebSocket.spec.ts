import { map, NEVER, type Observable, throwError } from 'rxjs';
import { overWebSocket } from '../../../src/executor/remote/overWebSocket';
import { marbles } from '../../support/marbles';

describe('overWebSocket', () => {
  it(
    'sends each message as one text, and reads those that come',
    marbles(({ cold, expectObservable }) => {
      const dial = (text$: Observable<string>) =>
        text$.pipe(map((text) => text.replace('"method":"m","params":{}', '"result":1')));
      const out$ = cold('a-|', { a: { kind: 'request' as const, id: 1, method: 'm', params: {} } });
      expectObservable(out$.pipe(overWebSocket({ dial }))).toBe('A-|', {
        A: { kind: 'response', id: 1, result: 1 },
      });
    }),
  );

  it(
    'errors with its socket',
    marbles(({ expectObservable }) => {
      const dial = () => throwError(() => 'refused');
      expectObservable(NEVER.pipe(overWebSocket({ dial }))).toBe('#', {}, 'refused');
    }),
  );
});
