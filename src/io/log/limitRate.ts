/** Limits how many records per second may pass. A reducer: its caller keeps the window. */

/** One second of records: when it began, in ms, how many passed, and how many were dropped. */
export type RateWindow = { sinceMs: number; passed: number; dropped: number };

/** The next window, whether the record passes, and how many of the previous second were dropped, to be reported first. */
export type RateVerdict = { window: RateWindow; passes: boolean; droppedBefore: number };

const SECOND_MS = 1_000;

/** The window before the first record. */
export const NO_RECORDS: RateWindow = { sinceMs: Number.NEGATIVE_INFINITY, passed: 0, dropped: 0 };

/** Lets the first `perSecond` records of each second pass. A window begins with a record, not with the clock. A clock that is set back begins a new one. */
export const limitRate =
  ({ perSecond }: { perSecond: number }) =>
  (window: RateWindow, nowMs: number): RateVerdict => {
    const { sinceMs, passed, dropped } = window;
    if (nowMs - sinceMs >= SECOND_MS || nowMs < sinceMs) {
      return { window: { sinceMs: nowMs, passed: 1, dropped: 0 }, passes: true, droppedBefore: dropped };
    }
    if (passed < perSecond) return { window: { ...window, passed: passed + 1 }, passes: true, droppedBefore: 0 };
    return { window: { ...window, dropped: dropped + 1 }, passes: false, droppedBefore: 0 };
  };
