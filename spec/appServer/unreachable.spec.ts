import { unreachable } from '../../src/appServer/unreachable';
import { marbles } from '../support/marbles';

describe('unreachable', () => {
  const words = {
    e: { kind: 'notification', method: 'error', params: { willRetry: true, error: { message: 'no route' } } },
    x: { kind: 'notification', method: 'error', params: { error: { message: 'final' } } },
    i: { kind: 'notification', method: 'item/agentMessage/delta', params: {} },
    t: { kind: 'notification', method: 'thread/tokenUsage/updated', params: {} },
  } as const;
  const late = {
    kind: 'late',
    message: 'The model could not be reached for 0.01 s and the turn was stopped. no route',
  };

  it.each([
    ['counts from the first error of a row', '-e--e--t---|', '-----------(L|)'],
    ['begins anew after a sign of the model', '-e--i-e---------|', '----------------(L|)'],
    ['takes a final error for none of its own', '-x-------------|', '---------------|'],
    ['says nothing where nothing is wrong', '-i--t--|', '-------|'],
  ])('%s', (_, word, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(unreachable(hot(word, words), 10)).toBe(expected, { L: late });
    })(),
  );
});
