/** Owns how many records a second may pass; what is said about the others is createLog's. */

/** One second of records: when it began (ms), how many passed, how many were held back. */
export type Burst = { sinceMs: number; passed: number; heldBack: number };

/** What to do with a record: let it pass or not, and how many to confess first because their second is over. */
export type Verdict = { burst: Burst; pass: boolean; confess: number };

export const QUIET: Burst = { sinceMs: Number.NEGATIVE_INFINITY, passed: 0, heldBack: 0 };

/**
 * Lets `perSecond` records of each second pass; a client that sends 4000 bad lines does not cost 4000 records.
 * The first record of a later second tells how many the earlier one held back.
 */
export const limitBurst =
  ({ perSecond }: { perSecond: number }) =>
  (burst: Burst, nowMs: number): Verdict => {
    const over = nowMs - burst.sinceMs >= 1000 || nowMs < burst.sinceMs; // a clock set back begins anew
    if (over) return { burst: { sinceMs: nowMs, passed: 1, heldBack: 0 }, pass: true, confess: burst.heldBack };
    if (burst.passed < perSecond) return { burst: { ...burst, passed: burst.passed + 1 }, pass: true, confess: 0 };
    return { burst: { ...burst, heldBack: burst.heldBack + 1 }, pass: false, confess: 0 };
  };
