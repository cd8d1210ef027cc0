import { assignMembers } from '../../../src/fleet/backend/poolBackend';
import type { MemberStatus } from '../../../src/fleet/executor/member';
import { marbles } from '../../support/marbles';

const member = (executor: string, running: number): MemberStatus => ({
  ...{ executor, instance: 'i', running, capacity: 4, load: 0 },
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

describe('assignMembers', () => {
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
    'completes with its source where it never asks, and stops with its reader',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const members = cold('---m', reports);
      expectObservable(hot('--|').pipe(assignMembers({ members, full }))).toBe('--|');
      expectObservable(hot('a---').pipe(assignMembers({ members, full })), '-!').toBe('-');
      expectSubscriptions(members.subscriptions).toBe('^!');
    }),
  );
});
