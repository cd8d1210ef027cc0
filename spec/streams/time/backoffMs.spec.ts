import { backoffMs } from '../../../src/streams/time/backoffMs';

describe('backoffMs', () => {
  it('doubles from 200 ms and strays by a tenth', () => {
    expect([1, 2, 3, 4].map((n) => backoffMs(n, () => 0.5))).toEqual([200, 400, 800, 1600]);
    expect([backoffMs(1, () => 0), backoffMs(1, () => 1)]).toEqual([180, 220.00000000000003]);
  });
});
