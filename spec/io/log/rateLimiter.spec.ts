import { rateLimiter } from '../../../src/io/log/createLog';

const limiterAt = (times: number[]) => {
  const reported: number[] = [];
  const waits: { run: () => void; waitMs: number }[] = [];
  const limiter = rateLimiter({
    perSecond: 1,
    now: () => times.shift() ?? 0,
    later: (run, waitMs) => void waits.push({ run, waitMs }),
    report: (dropped) => reported.push(dropped),
  });
  return { ...limiter, reported, waits };
};

describe('rateLimiter', () => {
  it('reports what was dropped a second later, once', () => {
    const { passes, reported, waits } = limiterAt([]);
    expect([passes(), passes(), passes(), passes()]).toEqual([true, false, false, false]);
    expect(waits.map(({ waitMs }) => waitMs)).toEqual([1000]);
    waits[0]?.run();
    waits[0]?.run();
    expect(reported).toEqual([3]);
  });

  it('reports it with the first record of the next second, where that comes earlier', () => {
    const { passes, reported, waits } = limiterAt([0, 1, 1500]);
    expect([passes(), passes(), passes()]).toEqual([true, false, true]);
    waits[0]?.run();
    expect(reported).toEqual([1]);
  });

  it('reports it at once when it is flushed', () => {
    const { passes, flush, reported } = limiterAt([]);
    flush();
    passes();
    passes();
    flush();
    expect(reported).toEqual([1]);
  });
});
