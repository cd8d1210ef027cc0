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
