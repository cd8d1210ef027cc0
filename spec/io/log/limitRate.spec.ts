import { rateLimiter } from '../../../src/io/log/createLog';
import { limitRate, NO_RECORDS } from '../../../src/io/log/limitRate';

describe('limitRate', () => {
  const limit = limitRate({ perSecond: 2 });
  const judge = (...timesMs: number[]) => {
    let window = NO_RECORDS;
    return timesMs.map((at) => {
      const verdict = limit(window, at);
      window = verdict.window;
      return verdict.passes ? verdict.droppedBefore : 'dropped';
    });
  };

  it('lets the first of each second pass, and reports in the next how many were dropped', () => {
    expect(judge(0, 1, 2, 999, 1000, 1001, 2500)).toEqual([0, 0, 'dropped', 'dropped', 2, 0, 0]);
  });

  it('begins a new second when the clock is set back', () => {
    expect(judge(5000, 5001, 5002, 10)).toEqual([0, 0, 'dropped', 1]);
  });

  it('leaves the window that it is given as it is', () => {
    const window = { sinceMs: 0, passed: 2, dropped: 0 };
    expect(limit(window, 1)).toEqual({
      window: { sinceMs: 0, passed: 2, dropped: 1 },
      passes: false,
      droppedBefore: 0,
    });
    expect(window).toEqual({ sinceMs: 0, passed: 2, dropped: 0 });
  });
});

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
