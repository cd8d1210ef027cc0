import { NEVER } from 'rxjs';
import { type PendingRequest, watchResponses } from '../../../../src/agent/appServer/connection/openLink';
import { marbles } from '../../../support/marbles';

const E = new Error('The codex app-server was silent for 0.005 s after turn/interrupt and was ended.');

describe('watchResponses', () => {
  it.each([
    ['never', '---', '', '---', '---'],
    ['emits where a response does not come', '-r', '-', '-', '------E'],
    ['emits nothing where it comes', '-r-------', '--y', '-', '---------'],
    ['emits nothing where it is an error', '-r-------', '--#', '-', '---------'],
    ['counts from the last message', '-r', '-', '---m', '--------E'],
    ['emits for each request', '-rr', '-', '-', '------EE'],
    ['ends with the source and the last response', '-r-|', '-----y', '-', '------|'],
    ['errors with the source', '-r#', '-', '-', '--#'],
  ])('%s', (_, source, response, incoming, expected) =>
    marbles(({ hot, cold, expectObservable }) => {
      const request: PendingRequest = { method: 'turn/interrupt', response$: response === '' ? NEVER : cold(response) };
      const source$ = hot(source, { r: request });
      expectObservable(source$.pipe(watchResponses({ incoming$: hot(incoming), waitMs: 5 }))).toBe(expected, { E });
    })(),
  );

  it(
    'errors with the connection, and unsubscribes it',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const incoming$ = hot('--#');
      const requests$ = hot('-r', { r: { method: 'turn/interrupt', response$: NEVER } });
      expectObservable(requests$.pipe(watchResponses({ incoming$, waitMs: 5 }))).toBe('--#');
      const quiet$ = hot('-');
      expectObservable(requests$.pipe(watchResponses({ incoming$: quiet$, waitMs: 5 })), '^--!').toBe('-');
      expectSubscriptions(quiet$.subscriptions).toBe('-^-!');
    }),
  );
});
