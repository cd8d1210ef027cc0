/** The door of the marble notation: letters, drawing, aligning and comparing rows. */
export { alignMarbles, type TimedEvent } from './alignMarbles';
export { type Difference, differenceLines, diffJson, toDifferenceText } from './diffJson';

export { DEFAULT_COLUMNS, drawComparison, EXCERPT } from './drawComparison';
export { drawMarbles, type Marble, withoutTail } from './drawMarbles';
export { type ComparedMarble, drawMismatch, END_LABEL, type Mismatch } from './drawMismatch';
export { accentedCapitals, freeLetter, LETTERS, lettersBetween, OTHER_CAPITALS, SMALL_LETTERS } from './letters';
export { assertWithin, MarbleError, marbles } from './marbles';
export { pairUp } from './pairUp';
