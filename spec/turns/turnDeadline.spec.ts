import { turnDeadline } from '../../src/turns/turnDeadline';
import { marbles } from '../support/marbles';

describe('turnDeadline', () => {
  it(
    'emits once when the time is over',
    marbles(({ expectObservable }) => {
      const expired = { kind: 'expired', message: 'The turn took longer than 1.5 s and was stopped.' };
      expectObservable(turnDeadline(1_500)).toBe('1500ms (x|)', { x: expired });
    }),
  );

  it(
    'never comes at once, however long the limit is',
    marbles(({ expectObservable }) => {
      expectObservable(turnDeadline(2 ** 40), '1000s !').toBe('-');
      expectObservable(turnDeadline(Number.MAX_SAFE_INTEGER), '1000s !').toBe('-');
    }),
  );
});
