import { asyncScheduler } from 'rxjs';
import { whilePassing, written } from '../../../src/fleet/threads/lease';
import { marbles } from '../../support/marbles';
import { conflict, entry, inTurn, leaseWith, taken, timedOut } from './doubles';

const clockMs = () => asyncScheduler.now();

describe('written', () => {
  it(
    'emits the lease, which counts from when the write was sent',
    marbles(({ cold, expectObservable }) => {
      expectObservable(
        written(
          leaseWith({}, () => 3),
          cold('-(r|)', { r: 9 }),
          1,
        ),
      ).toBe('-(L|)', {
        L: { revision: 9, sinceMs: 3 },
      });
    }),
  );

  it.each([
    ['its own of an attempt before, which counts from that', entry('t', 4), { revision: 4, sinceMs: 1 }],
    ['that of another', entry('u', 4), { found: entry('u', 4) }],
    ['none, where it was removed', { ...entry('u', 4), data: undefined }, { found: undefined }],
    ['none, where there is none', undefined, { found: undefined }],
  ])('finds behind a conflict %s', (_, e, L) =>
    marbles(({ cold, expectObservable }) => {
      const get = () => cold('-(e|)', { e });
      expectObservable(written(leaseWith({ get }, clockMs), cold('-#', {}, conflict), 1)).toBe('--(L|)', { L });
    })(),
  );

  it(
    'passes other errors on',
    marbles(({ cold, expectObservable }) => {
      expectObservable(written(leaseWith({}, clockMs), cold('-#', {}, timedOut), 1)).toBe('-#', undefined, timedOut);
    }),
  );
});

describe('whilePassing', () => {
  it(
    'tries again after a twentieth of the lease, until something else fails',
    marbles(({ cold, expectObservable }) => {
      const attempt = inTurn([cold('-#', {}, timedOut), cold('-#', {}, timedOut), cold('-#', {}, taken)]);
      expectObservable(attempt().pipe(whilePassing(40))).toBe('-------#', undefined, taken);
    }),
  );
});
