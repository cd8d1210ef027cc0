/** What an examination of this machine finds. */

/** One result. `remedy`: what to do about it, where something is to be done; `ms`: how long it took, where that counts. */
export type Finding = { check: string; state: 'ok' | 'warning' | 'fault'; text: string; remedy?: string; ms?: number };

/** A finding without its name; `state` is ok unless it says otherwise. */
export type Result = Partial<Pick<Finding, 'state' | 'remedy' | 'ms'>> & { text: string };
