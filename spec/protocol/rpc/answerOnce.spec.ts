import { answerOnce, type Failure, type Result, toResult } from '../../../src/protocol/rpc/answerOnce';
import { marbles } from '../../support/marbles';

type Item = Result | { kind: 'note' };

const failure = (message: string): Failure => ({ kind: 'failure', error: new Error(message) });
const values: Record<string, Result | Failure | { kind: 'note' }> = {
  n: { kind: 'note' },
  R: toResult(1),
  E: failure('broken'),
  N: failure('a method gave no result'),
};

describe('answerOnce', () => {
  it.each([
    ['never', '----', '----', []],
    ['a result among other messages', 'n-R-n-|', 'n-R-n-|', []],
    ['a failure before the result', 'n-#', 'n-(E|)', []],
    ['no result', '--|', '--(N|)', []],
    ['messages without a result', 'n-n-|', 'n-n-(N|)', []],
    ['an error behind the result', 'R-n-#', 'R-n-|', ['broken']],
    ['a second result', 'R-nRn', 'R-n|', ['a method gave a second result']],
  ])('answers once: %s', (_, source, expected, reports) => {
    const reported: string[] = [];
    marbles(({ cold, expectObservable }) => {
      const method$ = cold<Item>(source, values as Record<string, Item>, new Error('broken'));
      const out$ = method$.pipe(answerOnce<{ kind: 'note' }>((error) => reported.push((error as Error).message)));
      expectObservable(out$).toBe(expected, values);
    })();
    expect(reported).toEqual(reports);
  });

  it(
    'stops the method when it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const method$ = cold<Item>('--R--', values as Record<string, Item>);
      expectObservable(method$.pipe(answerOnce(() => {})), '---!').toBe('--R', values);
      expectSubscriptions(method$.subscriptions).toBe('^--!');
    }),
  );
});
