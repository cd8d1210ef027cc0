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
      expectObservable(out$.pipe(overWebSocket({ dial, url: 'ws://h:1' }))).toBe('A-|', {
        A: { kind: 'response', id: 1, result: 1 },
      });
    }),
  );

  it(
    'errors with its socket',
    marbles(({ expectObservable }) => {
      const dial = () => throwError(() => 'refused');
      expectObservable(NEVER.pipe(overWebSocket({ dial, url: 'ws://h:1' }))).toBe('#', {}, 'refused');
    }),
  );

  it.each<[string, Error, string, string, string?]>([
    [
      'where nobody listens',
      Object.assign(new Error('ws://h:1: connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      'NotListening',
      'ws://h:1: connect ECONNREFUSED: nobody listens there; on that machine start codex-rx exec-server --listen ws://h:1',
    ],
    [
      'where the token is not the one',
      new Error('ws://h:1: Unexpected server response: 401'),
      'Error',
      'ws://h:1: Unexpected server response: 401: it expects another token; name the variable that has it in bearer_token_env_var of the environment',
    ],
    [
      'without the login and the query of the address',
      Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
      'NotListening',
      'refused: nobody listens there; on that machine start codex-rx exec-server --listen ws://[redacted]@h:1/?token=[redacted]',
      'ws://user:pass@h:1/?token=t',
    ],
    ['of anything else as it is', new Error('ws://h:1: socket hang up'), 'Error', 'ws://h:1: socket hang up'],
  ])('names the remedy %s', (_, error, name, message, url = 'ws://h:1') => {
    const seen: Error[] = [];
    NEVER.pipe(overWebSocket({ dial: () => throwError(() => error), url })).subscribe({
      error: (one) => seen.push(one),
    });
    expect(seen).toMatchObject([{ name, message }]);
  });
});
