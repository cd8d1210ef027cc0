/** Which part of a rerun is real, and the messages of the parts that are not. */

/** The seam that is not played but real, if any. */
export type Live = 'none' | 'model' | 'executor';

/** How the note of a failed call begins. */
export const FAILED = 'failed: ';

/** Why something cannot be answered. */
export const NOT_RECORDED = 'this was not recorded, and nothing is live that could answer';
