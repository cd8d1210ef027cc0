import { asyncScheduler, NEVER } from 'rxjs';
import { releaseLease, renewLease } from '../../../src/fleet/threads/withLease';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';
import { conflict, entry, inTurn, leaseWith, lost, timedOut } from './doubles';

const clockMs = () => asyncScheduler.now();
const first = { revision: 7, sinceMs: 0 };
const R = { r: 9 };

describe('renewLease', () => {
  it(
    'emits the next lease after a quarter of its time',
    marbles(({ cold, expectObservable }) => {
      const update = () => cold('                                        -(r|)', R);
      expectObservable(renewLease(leaseWith({ update }, clockMs), first)).toBe('------(L|)', {
        L: { revision: 9, sinceMs: 5 },
      });
    }),
  );

  it(
    'asks again after a lost response; its own write counts from the lease before',
    marbles(({ cold, expectObservable }) => {
      const update = inTurn([cold<number>('-#', R, timedOut), cold<number>('-#', R, conflict)]);
      const get = () => cold('(e|)', { e: entry('t', 8) });
      expectObservable(renewLease(leaseWith({ update, get }, clockMs), first)).toBe('--------(L|)', {
        L: { revision: 8, sinceMs: 0 },
      });
    }),
  );

  it.each([
    ['another has it', entry('u')],
    ['nobody has it any more', undefined],
  ])('errors where %s', (_, found) =>
    marbles(({ cold, expectObservable }) => {
      const bucket = { update: () => cold<number>('-#', R, conflict), get: () => cold('(e|)', { e: found }) };
      expectObservable(renewLease(leaseWith(bucket, clockMs), first)).toBe('------#', undefined, lost);
    })(),
  );

  it.each([
    ['nothing answers', '-'],
    ['all attempts fail', '-#'],
  ])('errors at nine tenths of its time, where %s', (_, response) =>
    marbles(({ cold, expectObservable }) => {
      const update = () => cold<number>(response, R, timedOut);
      expectObservable(renewLease(leaseWith({ update }, clockMs), first)).toBe('18ms #', undefined, lost);
    })(),
  );

  it(
    'counts what has passed of the lease before it',
    marbles(({ expectObservable }) => {
      expectObservable(
        renewLease(
          leaseWith({}, () => asyncScheduler.now() + 4),
          first,
        ),
      ).toBe('14ms #', undefined, lost);
    }),
  );

  it(
    'reads no other clock: a server whose time is hours off changes nothing',
    marbles(({ cold, expectObservable }) => {
      const bucket = {
        update: inTurn([cold<number>('#', R, conflict)]),
        get: () => cold('(e|)', { e: { ...entry('t', 8), atMs: -7_200_000 } }),
      };
      expectObservable(renewLease(leaseWith(bucket, clockMs), first)).toBe('-----(L|)', {
        L: { revision: 8, sinceMs: 0 },
      });
    }),
  );
});

describe('releaseLease', () => {
  it(
    'completes when the key is removed',
    marbles(({ cold, expectObservable }) => {
      const remove = () => cold<void>('                                 --(u|)');
      expectObservable(releaseLease(leaseWith({ remove }, clockMs), first)).toBe('--|');
    }),
  );

  it(
    'removes what a renewal on its way has written, and nothing of another',
    marbles(({ cold, expectObservable, flush }) => {
      const removed: number[] = [];
      const remove = (_: string, revision: number) => {
        removed.push(revision);
        return revision === 8 ? cold<void>('-(u|)') : cold<void>('-#', undefined, conflict);
      };
      const release = (token: string) =>
        releaseLease(leaseWith({ remove, get: () => cold('-(e|)', { e: entry(token, 8) }) }, clockMs), first);
      expectObservable(release('t')).toBe('---|');
      expectObservable(release('u')).toBe('--|');
      flush();
      expect(removed).toEqual([7, 7, 8]);
    }),
  );

  it(
    'is tried again while there is no response, for ten seconds at most',
    marbles(({ cold, expectObservable }) => {
      const remove = inTurn([cold<void>('-#', undefined, timedOut), NEVER, cold<void>('--(u|)')]);
      expectObservable(releaseLease(leaseWith({ remove }, clockMs), first)).toBe('1005ms |'); // 1, again after 1, 1 s without response, again after 1, 2
      expectObservable(releaseLease(leaseWith({}, clockMs), first)).toBe('10s |');
      const refuse = () => cold<void>('-#', undefined, new NatsError('refused', 'no right'));
      expectObservable(releaseLease(leaseWith({ remove: refuse }, clockMs), first)).toBe('-|');
    }),
  );

  it(
    'leaves to the next of this store what could not be removed, and forgets what could',
    marbles(({ cold, flush }) => {
      const isLeftAfter = (remove: () => ReturnType<typeof cold<void>>) => {
        const deps = leaseWith({ remove, get: () => cold('(e|)', { e: entry('u', 8) }) }, clockMs);
        releaseLease(deps, first).subscribe();
        flush();
        return deps.left.isLeft('t');
      };
      expect(isLeftAfter(() => cold('-(u|)'))).toBe(false);
      expect(isLeftAfter(() => cold('-#', undefined, conflict))).toBe(false); // another has it
      expect(isLeftAfter(() => cold('-#', undefined, timedOut))).toBe(true);
      expect(isLeftAfter(() => cold('-#', undefined, new NatsError('refused', 'no right')))).toBe(true);
    }),
  );
});
