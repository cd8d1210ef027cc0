import { concat, NEVER, of, switchMap, throwError } from 'rxjs';
import { assignMembers, poolBackend } from '../../../src/fleet/backend/poolBackend';
import { encodeMember, type MemberStatus } from '../../../src/fleet/executor/member';
import type { NatsLink } from '../../../src/fleet/link/natsLink';
import { failed } from '../../executor/events';
import { marbles } from '../../support/marbles';

const spec = { argv: ['p'], cwd: '/', env: {} };

const member = (executor: string, running: number) => ({ executor, instance: 'i', running, capacity: 10, load: 0 });

const life = (name: string) => ({ kind: 'failed' as const, seq: 1, reason: `ran on ${name}` });

/** A pool whose members are these, at each time they are asked. */
const pool = (...answers: (readonly ReturnType<typeof member>[])[]) => {
  let asked = 0;
  const requestAll = () => {
    const members = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    return of(...members.map((one) => ({ subject: 'r', data: encodeMember(one) })));
  };
  const link = { address: 'nats://h', prefix: 'p', requestAll } as unknown as NatsLink;
  const backendOf = (name: string) => ({ start: () => of(life(name)) });
  return poolBackend({ link$: concat(of(link), NEVER), pool: 'linux', backendOf });
};

const names = {
  a: life('a'),
  b: life('b'),
  n: failed(
    1,
    'all executors of the pool linux run as many processes as they may: wait for one to end, or add an executor',
  ),
};

describe('poolBackend', () => {
  it(
    'starts each process on the least loaded member, counting what it has started',
    marbles(({ hot, expectObservable }) => {
      const { start } = pool([member('a', 2), member('b', 0)]);
      const starts$ = hot('s-s-s-s-s', { s: 0 });
      expectObservable(starts$.pipe(switchMap(() => start(spec)))).toBe('b-b-a-b-a', names);
    }),
  );

  it(
    'asks again when what it knows is old, and so leaves out a member that is gone',
    marbles(({ hot, expectObservable }) => {
      const { start } = pool([member('a', 0), member('b', 5)], [member('b', 5)]);
      const starts$ = hot('s 998ms s 500ms s', { s: 0 });
      expectObservable(starts$.pipe(switchMap(() => start(spec)))).toBe('a 998ms a 500ms b', names);
    }),
  );

  it(
    'fails a process if no member has room, and if there is none',
    marbles(({ expectObservable }) => {
      expectObservable(pool([member('a', 10)]).start(spec)).toBe('(n|)', names);
      const link$ = throwError(() => new Error('lost'));
      const lost = poolBackend({ link$, pool: 'linux', backendOf: () => ({ start: () => NEVER }) });
      expectObservable(lost.start(spec)).toBe('(f|)', { f: failed(1, 'lost') });
      expectObservable(pool([]).start(spec)).toBe('6s (f|)', {
        f: failed(
          1,
          'no executor of the pool linux answers at nats://h: start it with codex-rx exec-server --listen nats://h --name NAME --pool linux',
        ),
      });
    }),
  );
});

describe('assignMembers', () => {
  const member = (executor: string, running: number): MemberStatus => ({
    executor,
    instance: 'i',
    running,
    capacity: 4,
    load: 0,
  });

  const reports: Record<string, readonly MemberStatus[]> = { m: [member('e', 2), member('f', 1)], f: [member('e', 4)] };

  const values = {
    A: { start: 'a', executor: 'f' },
    B: { start: 'b', executor: 'e' },
    C: { start: 'c', executor: 'f' },
    F: { start: 'b', executor: 'f' },
    X: { start: 'a', error: new Error('none') },
    Y: { start: 'b', error: new Error('full') },
    Z: { start: 'b', error: new Error('none') },
  };

  const full = () => new Error('full');

  it(
    'asks the pool for the first start, lets others wait meanwhile, and counts what it assigns',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const members = cold('   ---m', reports);
      const start$ = hot('      -ab-----c-|');
      expectObservable(start$.pipe(assignMembers({ members, full }))).toBe('----(AB)C-|', values);
      expectSubscriptions(members.subscriptions).toBe('-^--!');
    }),
  );

  it(
    'asks again for a start that comes when the report is old',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const members = cold('m', reports);
      const start$ = hot('a 999ms b');
      expectObservable(start$.pipe(assignMembers({ members, full }))).toBe('A 999ms F', values);
      expectSubscriptions(members.subscriptions).toBe(['(^!)', '1s (^!)']);
    }),
  );

  it(
    'names why a start gets none, to those that waited for the same answer too, and goes on',
    marbles(({ hot, cold, expectObservable }) => {
      const lost = cold<readonly MemberStatus[]>('--#', {}, new Error('none'));
      expectObservable(hot('ab----|').pipe(assignMembers({ members: lost, full }))).toBe('--(XZ)|', values);
      const busy = cold('f', reports);
      expectObservable(hot('-b').pipe(assignMembers({ members: busy, full }))).toBe('-Y', values);
    }),
  );

  it(
    'asks again for a start that comes after a failure',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const lost = cold<readonly MemberStatus[]>('-#', {}, new Error('none'));
      const start$ = hot('5s a-b');
      expectObservable(start$.pipe(assignMembers({ members: lost, full }))).toBe('5s -X-Z', values);
      expectSubscriptions(lost.subscriptions).toBe(['5s ^!', '5s --^!']);
    }),
  );

  it(
    'completes with its source if it never asks, and stops with its reader',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const members = cold('---m', reports);
      expectObservable(hot('--|').pipe(assignMembers({ members, full }))).toBe('--|');
      expectObservable(hot('a---').pipe(assignMembers({ members, full })), '-!').toBe('-');
      expectSubscriptions(members.subscriptions).toBe('^!');
    }),
  );
});
