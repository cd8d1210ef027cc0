import { firstWithin } from '../../../src/streams/time/firstWithin';
import { marbles } from '../../support/marbles';

const toLate = () => new Error('late');
const toFailure = (reason: unknown) => new Error(`failed: ${reason}`);

describe('firstWithin', () => {
  it.each([
    ['passes a source that begins in time', '  --a------b-|', 3, '--a------b-|', '^----------!'],
    ['errors before a source that begins late', '----a-|', 3, '     ---#', '       ^--!'],
    ['passes an end without an item', '        -|', 3, '          -|', '         ^!'],
    ['waits for ever where it may', '          ----------a|', 0, '----------a|', '^----------!'],
  ])('%s', (_, source, ms, expected, subscribed) =>
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const item$ = cold(source);
      expectObservable(item$.pipe(firstWithin({ ms, toLate, toFailure }))).toBe(expected, undefined, toLate());
      expectSubscriptions(item$.subscriptions).toBe(subscribed);
    })(),
  );

  it.each(['--#', '-a----#'])('errors with what it makes of the error of its source: %s', (source) =>
    marbles(({ cold, expectObservable }) => {
      const passed$ = cold(source).pipe(firstWithin({ ms: 3, toLate, toFailure }));
      expectObservable(passed$).toBe(source, undefined, new Error('failed: error'));
    })(),
  );

  it(
    'stops its source and its timer when nobody listens',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const item$ = cold('----a');
      expectObservable(item$.pipe(firstWithin({ ms: 3, toLate, toFailure })), '-^!').toBe('---');
      expectSubscriptions(item$.subscriptions).toBe('-^!');
    }),
  );
});
