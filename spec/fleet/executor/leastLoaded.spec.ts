import { leastLoaded } from '../../../src/fleet/executor/member';

const member = (executor: string, running: number, own: { capacity?: number; load?: number } = {}) => ({
  executor,
  instance: 'i',
  running,
  capacity: 10,
  load: 0,
  ...own,
});

describe('leastLoaded', () => {
  it.each<[string, ReturnType<typeof member>[], string | undefined]>([
    ['nothing of no members', [], undefined],
    ['the one that runs least', [member('a', 3), member('b', 1), member('c', 2)], 'b'],
    ['the greater one of two that run as many', [member('a', 3), member('b', 3, { capacity: 20 })], 'b'],
    ['the idler one of two', [member('a', 3, { load: 0.9 }), member('b', 3, { load: 0.1 })], 'b'],
    ['the first by name of equals', [member('b', 3), member('a', 3)], 'a'],
    ['no full one', [member('a', 10), member('b', 9, { load: 1 })], 'b'],
    ['nothing where all are full', [member('a', 10), member('b', 0, { capacity: 0 })], undefined],
  ])('finds %s', (_, members, expected) => {
    expect(leastLoaded(members)?.executor).toBe(expected);
  });
});
