import fc from 'fast-check';
import { asyncScheduler, NEVER } from 'rxjs';
import {
  inUse,
  leaseOver,
  leftLeases,
  readHolder,
  takenOver,
  toLeaseData,
  whilePassing,
  written,
} from '../../../src/fleet/threads/lease';
import { releaseLease, renewLease } from '../../../src/fleet/threads/withLease';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';
import { conflict, entry, inTurn, leaseWith, lost, taken, timedOut } from './doubles';

const clockMs = () => asyncScheduler.now();

const first = { revision: 7, sinceMs: 0 };

const R = { r: 9 };

const holder = { host: 'h', pid: 7, store: 's', token: 't' };

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

describe('toLeaseData', () => {
  it('is read as it was written', () => {
    const one = fc.record({ host: fc.string(), pid: fc.nat(), store: fc.string(), token: fc.string() });
    fc.assert(fc.property(one, (written) => expect(readHolder(toLeaseData(written))).toEqual(written)));
  });

  it('reads what another program wrote as nobody', () => {
    expect(readHolder(new Uint8Array([255]))).toEqual({ host: '', pid: 0, store: '', token: '' });
  });
});

describe('inUse', () => {
  it('names who has the thread, and when it is free', () => {
    expect(inUse('a', holder, { store: 'other', leaseMs: 20_000 }).message).toBe(
      'The thread a is in use by the process 7 of the host h. Call again when the turn there has ended; if that process has died, in 20 s.',
    );
    expect(inUse('a', holder, { store: 's', leaseMs: 20_000 }).message).toMatch(/is open in this server/);
    expect(inUse('a', { ...holder, pid: 0 }, { store: '', leaseMs: 1 }).message).toMatch(/in use by another program/);
  });
});

describe('takenOver', () => {
  it('names who has the thread now, and what became of the turn', () => {
    expect(takenOver('a', holder).message).toMatch(
      /^The thread a was taken over by the process 7 of the host h, .*not in the thread/,
    );
    expect(takenOver('a', undefined).message).toMatch(/taken over by another process/);
  });
});

describe('leaseOver', () => {
  it('names the server and the time of a lease', () => {
    expect(leaseOver('a', 'nats://b', 20_000).message).toMatch(
      /nats:\/\/b did not let it be renewed in time \(20 s\)\. The turn is stopped/,
    );
  });
});

describe('leftLeases', () => {
  it('has what was left until it is forgotten', () => {
    const left = leftLeases();
    expect(left.isLeft('a')).toBe(false);
    left.leave('a');
    left.leave('b');
    left.forget('a');
    left.forget('c');
    expect(['a', 'b', 'c'].map(left.isLeft)).toEqual([false, true, false]);
  });

  it('has the newest of too many', () => {
    const left = leftLeases(2);
    for (const token of ['a', 'b', 'a', 'c']) left.leave(token);
    expect(['a', 'b', 'c'].map(left.isLeft)).toEqual([true, false, true]);
  });
});

describe('writeLease', () => {
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
});
