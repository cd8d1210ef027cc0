import { unacknowledged } from '../../../src/fleet/tapes/openNatsTape';
import { marbles } from '../../support/marbles';

describe('unacknowledged', () => {
  it(
    'is late when nothing is acknowledged for so long, with why the last message is sent again',
    marbles(({ hot, expectObservable }) => {
      const { add, acknowledge, inDoubt, late$, tooMany, bytes } = unacknowledged('nats://h:1', 5);
      add(7);
      inDoubt(new Error('old'));
      hot('---a--d').subscribe((what) => (what === 'a' ? acknowledge(3) : inDoubt(new Error('no leader'))));
      expectObservable(late$, '^---------!').toBe('--------l', {
        l: '4 bytes were not acknowledged by nats://h:1: no leader',
      });
      expect([bytes(), tooMany().message]).toEqual([7, '7 bytes wait for nats://h:1, which is away or too slow']);
    }),
  );

  it(
    'is late without a reason where none is known',
    marbles(({ expectObservable }) => {
      const { add, acknowledge, inDoubt, late$ } = unacknowledged('nats://h:1', 5);
      add(7);
      inDoubt(new Error('old'));
      acknowledge(3);
      expectObservable(late$, '^---------!').toBe('-----l', { l: '4 bytes were not acknowledged by nats://h:1' });
    }),
  );
});
