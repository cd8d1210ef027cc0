import { modelUnreachable } from '../../../../src/agent/appServer/turns/turnMessages';
import { marbles } from '../../../support/marbles';

describe('modelUnreachable', () => {
  const messages = {
    e: { kind: 'notification', method: 'error', params: { willRetry: true, error: { message: 'no route' } } },
    x: { kind: 'notification', method: 'error', params: { error: { message: 'final' } } },
    i: { kind: 'notification', method: 'item/agentMessage/delta', params: {} },
    t: { kind: 'notification', method: 'thread/tokenUsage/updated', params: {} },
  } as const;
  const expired = {
    kind: 'expired',
    message: 'The model could not be reached for 0.01 s and the turn was stopped. no route',
  };

  it.each([
    ['counts from the first error of a row', '-e--e--t---|', '-----------(L|)'],
    ['begins anew after a sign of the model', '-e--i-e---------|', '----------------(L|)'],
    ['takes a final error for none of its own', '-x-------------|', '---------------|'],
    ['emits nothing where nothing is wrong', '-i--t--|', '-------|'],
    ['never ends as its source never does', '---', '---'],
    ['errors with its source', '-e-#', '---#'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(source, messages).pipe(modelUnreachable(10))).toBe(expected, { L: expired });
    })(),
  );

  it(
    'unsubscribes its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-e--', messages);
      expectObservable(source$.pipe(modelUnreachable(10)), '^--!').toBe('---');
      expectSubscriptions(source$.subscriptions).toBe('^--!');
    }),
  );
});
