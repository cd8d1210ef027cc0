import {
  asyncScheduler,
  concat,
  defer,
  EMPTY,
  ignoreElements,
  type Observable,
  Subscription,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { leasedSession, takeLease, withLease } from '../../../src/fleet/threads/withLease';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';
import { conflict, entry, inTurn, leaseWith, lost, taken, timedOut } from './doubles';

const clockMs = () => asyncScheduler.now();

describe('withLease', () => {
  it(
    'takes the lease, renews it while the work runs, and removes it before the end',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [create$, update$, remove$] = [cold('-(r|)', { r: 1 }), cold('-(r|)', { r: 2 }), cold<void>('--(u|)')];
      const bucket = { create: () => create$, update: () => update$, remove: () => remove$ };
      const work$ = cold('                    -a--------b---|');
      expectObservable(withLease(leaseWith(bucket, clockMs))(work$)).toBe('--a--------b-----|');
      expectSubscriptions(create$.subscriptions).toBe('^!');
      expectSubscriptions(update$.subscriptions).toBe(['------^!', '------------^!']);
      expectSubscriptions(remove$.subscriptions).toBe('---------------^-!');
    }),
  );

  it(
    'does not begin the work without the lease',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const bucket = { create: () => cold<never>('-#', {}, conflict), get: () => cold('(e|)', { e: entry('u') }) };
      const work$ = cold('-a|');
      expectObservable(withLease(leaseWith(bucket, clockMs))(work$)).toBe('-#', undefined, taken);
      expectSubscriptions(work$.subscriptions).toBe([]);
    }),
  );

  it(
    'stops the work if the lease is lost, and removes nothing then',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const remove$ = cold<void>('(u|)');
      const bucket = {
        create: () => cold('(r|)', { r: 1 }),
        update: inTurn([cold('(r|)', { r: 2 }), cold<never>('-#', {}, conflict)]),
        get: () => cold('(e|)', { e: entry('u') }),
        remove: () => remove$,
      };
      const work$ = cold('                                             a---------b--');
      expectObservable(withLease(leaseWith(bucket, clockMs))(work$)).toBe('a---------b#', undefined, lost);
      expectSubscriptions(work$.subscriptions).toBe('                  ^----------!');
      expectSubscriptions(remove$.subscriptions).toBe([]);
    }),
  );

  it(
    'stops the work at nine tenths of the lease if the server does not answer',
    marbles(({ cold, expectObservable, flush }) => {
      const bucket = { create: () => cold('(r|)', { r: 1 }), update: () => cold<never>('-') };
      const deps = leaseWith(bucket, clockMs);
      expectObservable(withLease(deps)(cold('a-'))).toBe('a 17ms #', undefined, lost);
      flush();
      expect(deps.left.isLeft('t')).toBe(true);
    }),
  );

  it(
    'removes the lease if the work errors',
    marbles(({ cold, expectObservable }) => {
      const bucket = { create: () => cold('(r|)', { r: 1 }), remove: () => cold<void>('--(u|)') };
      expectObservable(withLease(leaseWith(bucket, clockMs))(cold('-#'))).toBe('---#');
    }),
  );

  it(
    'leaves the lease to its end, or to the next of this store if it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const remove$ = cold<void>('(u|)');
      const bucket = { create: () => cold('(r|)', { r: 1 }), remove: () => remove$ };
      const deps = leaseWith(bucket, clockMs);
      expectObservable(withLease(deps)(cold('a-')), '^-!').toBe('a');
      expectSubscriptions(remove$.subscriptions).toBe([]);
      flush();
      expect(deps.left.isLeft('t')).toBe(true);
    }),
  );
});

describe('takeLease', () => {
  const clockMs = () => asyncScheduler.now();

  const R = { r: 9 };

  it(
    'emits the lease, which counts from when it was asked for',
    marbles(({ cold, expectObservable }) => {
      const create = () => cold('                                --(r|)', R);
      expectObservable(takeLease(leaseWith({ create }, clockMs))).toBe('--(L|)', { L: { revision: 9, sinceMs: 0 } });
    }),
  );

  it(
    'errors if another has it',
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

  it(
    'takes the place of one that this store could not give back, which it forgets then',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const update$ = cold('-(r|)', R);
      const updated: unknown[] = [];
      const deps = leaseWith(
        {
          create: () => cold<number>('-#', R, conflict),
          get: () => cold('(e|)', { e: entry('before', 4) }),
          update: (...args) => {
            updated.push(args);
            return update$;
          },
        },
        clockMs,
      );
      deps.left.leave('before');
      expectObservable(takeLease(deps)).toBe('--(L|)', { L: { revision: 9, sinceMs: 1 } });
      expectSubscriptions(update$.subscriptions).toBe('-^!');
      flush();
      expect(updated).toEqual([['k', deps.data, 4]]);
      expect([deps.left.isLeft('before'), deps.left.isLeft('t')]).toEqual([false, false]);
    }),
  );

  it(
    'looks again if that one was renewed or removed meanwhile, and stops at one of another',
    marbles(({ cold, expectObservable }) => {
      const of = (...found: ReturnType<typeof entry>[]) => {
        const get = inTurn(found.map((e) => cold('(e|)', { e })));
        const update = inTurn([cold<number>('-#', R, conflict), cold('-(r|)', R)]);
        const deps = leaseWith({ create: () => cold<number>('#', R, conflict), get, update }, clockMs);
        deps.left.leave('before');
        return takeLease(deps);
      };
      const [before, renewed] = [entry('before', 4), entry('before', 5)];
      expectObservable(of(before, renewed, renewed)).toBe('---(L|)', { L: { revision: 9, sinceMs: 2 } });
      expectObservable(of(before, entry('u', 5))).toBe('  -#', undefined, taken);
    }),
  );

  it(
    'counts a lease in the place of another from the first attempt, as a write whose response was lost may be the one that counts',
    marbles(({ cold, expectObservable }) => {
      const get = inTurn([cold('(e|)', { e: entry('before', 4) }), cold('(e|)', { e: entry('t', 5) })]);
      const refused = () => cold<number>('-#', R, conflict);
      const deps = leaseWith({ create: refused, update: refused, get }, clockMs);
      deps.left.leave('before');
      expectObservable(takeLease(deps)).toBe('--(L|)', { L: { revision: 5, sinceMs: 0 } });
    }),
  );

  it(
    'leaves to the next of this store what may have been stored, not what another has',
    marbles(({ cold, flush }) => {
      const isLeftAfter = (create: () => ReturnType<typeof cold<number>>) => {
        const deps = leaseWith({ create, get: () => cold('(e|)', { e: entry('u') }) }, clockMs);
        takeLease(deps).subscribe({ error: () => {} });
        flush();
        return deps.left.isLeft('t');
      };
      expect(isLeftAfter(() => cold('-'))).toBe(true);
      expect(isLeftAfter(() => cold('#', R, conflict))).toBe(false);
      expect(isLeftAfter(() => cold('(r|)', R))).toBe(false);
    }),
  );
});

type Cold = (marble: string, values?: object, error?: unknown) => Observable<string>;

/** A session that takes a frame to be taken and one to be given back; its tasks run until `stop`. */
const sessionWith = (cold: Cold, work = '-') => {
  const tasks = new Subscription();
  const session = leasedSession<string>({
    background: (task$) => void tasks.add(task$.subscribe()),
    leased: (run) =>
      concat(
        cold('-|').pipe(ignoreElements()),
        defer(() => run('p')),
        cold('-|').pipe(ignoreElements()),
      ),
    work: (_, end$) => cold(work).pipe(takeUntil(end$), ignoreElements()),
  });
  return { session, stop: () => tasks.unsubscribe() };
};

const at = (frame: number, run: () => void) => timer(frame).pipe(tap(run), ignoreElements()).subscribe();

describe('leasedSession', () => {
  it(
    'emits what opened it, and completes when it was given back',
    marbles(({ cold, expectObservable, flush }) => {
      const { session } = sessionWith(cold as Cold);
      const kinds: string[] = [session.kind()];
      expectObservable(session.begin((place) => cold('-(o|)', { o: `open at ${place}` }))).toBe('--o--|', {
        o: 'open at p',
      });
      kinds.push(session.kind());
      at(4, () => void session.end());
      flush();
      expect([...kinds, session.kind()]).toEqual(['resting', 'leased', 'resting']);
    }),
  );

  it(
    'goes on while nobody waits for it',
    marbles(({ cold, expectObservable, flush }) => {
      const { session } = sessionWith(cold as Cold);
      expectObservable(
        session.begin(() => cold('(o|)')),
        '^-!',
      ).toBe('-o');
      at(3, () => {
        expect(session.kind()).toBe('leased');
        session.end();
      });
      flush();
      expect(session.kind()).toBe('resting');
    }),
  );

  it(
    'is given back once it is open if its end comes before',
    marbles(({ cold, expectObservable }) => {
      const { session } = sessionWith(cold as Cold);
      expectObservable(session.begin(() => cold('--(o|)'))).toBe('---o|');
      expectObservable(session.end()).toBe('----|');
    }),
  );

  it(
    'gives back at once what opened nothing',
    marbles(({ cold, expectObservable }) => {
      expectObservable(sessionWith(cold as Cold).session.begin(() => EMPTY)).toBe('--|');
    }),
  );

  it(
    'errors for each who waits if it is lost',
    marbles(({ cold, expectObservable, flush }) => {
      const { session, stop } = sessionWith(cold as Cold, '--#');
      expectObservable(session.begin(() => cold('(o|)'))).toBe('-o-#');
      expectObservable(session.lost$).toBe('---#');
      flush();
      stop();
    }),
  );

  it(
    'keeps the error of one that is lost for those who ask later',
    marbles(({ cold, flush }) => {
      const { session } = sessionWith(cold as Cold, '--#');
      session.begin(() => cold('(o|)')).subscribe({ error: () => {} });
      flush();
      expect(session.kind()).toBe('lost');
      const ends: string[] = [];
      session.lost$.subscribe({ error: (error) => ends.push(error) });
      session.end().subscribe({ complete: () => ends.push('|') });
      expect(ends).toEqual(['error', '|']);
    }),
  );
});
