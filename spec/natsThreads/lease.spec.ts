import { asyncScheduler, NEVER } from 'rxjs';
import { releaseLease, renewLease, takeLease } from '../../src/natsThreads/lease';
import { NatsError } from '../../src/transport/nats';
import { marbles } from '../support/marbles';
import { conflict, entry, inTurn, leaseWith, lost, taken, timedOut } from './doubles';

const clockMs = () => asyncScheduler.now();
const first = { revision: 7, sinceMs: 0 };
const R = { r: 9 };

describe('takeLease', () => {
  it(
    'emits the lease, which counts from when it was asked for',
    marbles(({ cold, expectObservable }) => {
      const create = () => cold('                                --(r|)', R);
      expectObservable(takeLease(leaseWith({ create }, clockMs))).toBe('--(L|)', { L: { revision: 9, sinceMs: 0 } });
    }),
  );

  it(
    'errors where another has it',
    marbles(({ cold, expectObservable }) => {
      const bucket = { create: () => cold<number>('-#', R, conflict), get: () => cold('-(e|)', { e: entry('u') }) };
      expectObservable(takeLease(leaseWith(bucket, clockMs))).toBe('--#', undefined, taken);
    }),
  );

  it(
    'asks again after a lost response, and finds its own',
    marbles(({ cold, expectObservable }) => {
      const create = inTurn([cold<number>('---#', R, timedOut), cold<number>('-#', R, conflict)]);
      const get = () => cold('(e|)', { e: entry('t', 4) });
      expectObservable(takeLease(leaseWith({ create, get }, clockMs))).toBe('-----(L|)', {
        L: { revision: 4, sinceMs: 0 },
      });
    }),
  );

  it(
    'takes one that has just ended',
    marbles(({ cold, expectObservable }) => {
      const create = inTurn([cold<number>('#', R, conflict), cold('-(r|)', R)]);
      const get = () => cold('(e|)', { e: undefined });
      expectObservable(takeLease(leaseWith({ create, get }, clockMs))).toBe('--(L|)', {
        L: { revision: 9, sinceMs: 1 },
      });
    }),
  );

  it(
    'gives up after ten seconds',
    marbles(({ expectObservable }) => {
      const fault = new NatsError('timeout', 'the lease k could not be taken in 10 s');
      expectObservable(takeLease(leaseWith({}, clockMs))).toBe('10s #', undefined, fault);
    }),
  );

  it(
    'passes other errors on',
    marbles(({ cold, expectObservable }) => {
      const fault = new NatsError('refused', 'no');
      expectObservable(takeLease(leaseWith({ create: () => cold<number>('#', R, fault) }, clockMs))).toBe(
        '#',
        undefined,
        fault,
      );
    }),
  );
});

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
});
