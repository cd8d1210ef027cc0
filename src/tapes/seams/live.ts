/** Which part of a rerun is real, and the messages of the parts that are not. */

/** The seam that is not played but real, if any. */
export type Live = 'none' | 'model' | 'executor';

/** How the note of a failed call begins. */
export const FAILED = 'failed: ';

/** Why the model cannot answer. */
export const NOT_ASKED =
  'the tape has no answer of the model to this request: what it is sent, such as the output of a command, differs from what was recorded';

/** Why something else cannot be answered. */
export const NOT_RECORDED = 'this was not recorded, and nothing is live that could answer';
