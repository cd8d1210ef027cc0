/** What of a rerun is real, and what the parts say that are not. */

/** The seam that is not played but real, if any. */
export type Live = 'none' | 'model' | 'executor';

/** What a note begins with that a call failed. */
export const FAILED = 'failed: ';

/** Why something cannot be answered. */
export const NOT_RECORDED = 'this was not recorded, and nothing is live that could answer';
