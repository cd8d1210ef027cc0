import { holdBursts } from '../../../src/app/log/holdBursts';
import { limitBurst, QUIET } from '../../../src/app/log/limitBurst';

describe('limitBurst', () => {
  const limit = limitBurst({ perSecond: 2 });
  const judge = (...timesMs: number[]) => {
    let burst = QUIET;
    return timesMs.map((at) => {
      const verdict = limit(burst, at);
      burst = verdict.burst;
      return verdict.pass ? verdict.confess : 'held';
    });
  };

  it('lets the first of each second pass and confesses in the next', () => {
    expect(judge(0, 1, 2, 999, 1000, 1001, 2500)).toEqual([0, 0, 'held', 'held', 2, 0, 0]);
  });

  it('begins anew when the clock is set back', () => {
    expect(judge(5000, 5001, 5002, 10)).toEqual([0, 0, 'held', 1]);
  });
});

describe('holdBursts', () => {
  it('tells what was held back a second later, once', () => {
    const told: number[] = [];
    const waits: { run: () => void; waitMs: number }[] = [];
    const later = (run: () => void, waitMs: number) => void waits.push({ run, waitMs });
    const { mayPass } = holdBursts({ perSecond: 1, now: () => 0, later, tell: (count) => told.push(count) });
    expect([mayPass(), mayPass(), mayPass(), mayPass()]).toEqual([true, false, false, false]);
    expect(waits.map(({ waitMs }) => waitMs)).toEqual([1000]);
    waits[0]?.run();
    waits[0]?.run();
    expect(told).toEqual([3]);
  });
});
