/** Limits the rate of the log's records, and reports how many it dropped. Own code: winston limits no rate. */
import { limitRate, NO_RECORDS } from './limitRate';

type RateLimiterDeps = {
  perSecond: number;
  now: () => number;
  /** Runs something once after waitMs, without keeping the process alive. */
  later: (run: () => void, waitMs: number) => void;
  /** Called with the number of records that were dropped, at the latest a second after the first of them. */
  report: (dropped: number) => void;
};

/** `passes` is asked before each record; `flush` reports at once what was dropped and not yet reported. */
export type RateLimiter = { passes: () => boolean; flush: () => void };

const REPORT_AFTER_MS = 1_000;

/** Makes a limiter. It counts in a variable, as records come one by one from anywhere. */
export const rateLimiter = ({ perSecond, now, later, report }: RateLimiterDeps): RateLimiter => {
  const limit = limitRate({ perSecond });
  let window = NO_RECORDS;
  const flush = () => {
    const { dropped } = window;
    window = { ...window, dropped: 0 };
    if (dropped > 0) report(dropped);
  };
  const passes = (): boolean => {
    const verdict = limit(window, now());
    window = verdict.window;
    if (verdict.droppedBefore > 0) report(verdict.droppedBefore);
    if (!verdict.passes && window.dropped === 1) later(flush, REPORT_AFTER_MS);
    return verdict.passes;
  };
  return { passes, flush };
};
