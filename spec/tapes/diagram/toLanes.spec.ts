import type { Look } from '../../../src/tapes/diagram/chart';
import { toLanes } from '../../../src/tapes/diagram/toChart';

const look = (group: Look['group'], key: string): Look => ({
  ...{ group, key, name: 'n', mark: 'plain', sign: { kind: 'fixed', text: '#' } },
});

describe('toLanes', () => {
  it('orders lanes by group, and those of one group by their first use', () => {
    const { lanes, laneOf } = toLanes([
      look('log', 'log'),
      look('event', 'b'),
      look('event', 'a'),
      look('request', 'r'),
    ]);
    expect(lanes).toEqual([
      { group: 'request', key: 'r', title: 'client sends' },
      { group: 'event', key: 'b', title: 'b' },
      { group: 'event', key: 'a', title: 'a' },
      { group: 'log', key: 'log', title: 'stderr, notes, end' },
    ]);
    expect(laneOf).toEqual([3, 1, 2, 0]);
  });

  it('lets the rarest kinds share a lane where there are more than eight', () => {
    const kinds = Array.from({ length: 9 }, (_, i) => look('event', `k${i}`));
    const { lanes, laneOf } = toLanes([...kinds, look('event', 'k8'), look('event', 'k7')]);
    expect(lanes.map(({ key }) => key)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'other', 'k7', 'k8']);
    expect(lanes[5]?.title).toBe('other events');
    expect(laneOf.slice(4, 7)).toEqual([4, 5, 5]);
  });
});
