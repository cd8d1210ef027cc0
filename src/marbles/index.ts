export { alignMarbles, type TimedEvent } from './alignMarbles';
export { type Difference, describeDifference, diffJson, toDifferenceText } from './diffJson';
export { acrossRows, type Column, drawColumns, widthOfColumn } from './drawColumns';
export { drawComparison, EXCERPT } from './drawComparison';
export { drawMarbles, type Marble, withoutTail } from './drawMarbles';
export { type ComparedMarble, drawMismatch, END_LABEL, type Mismatch } from './drawMismatch';
export { CAPITAL_LETTERS, freeLetter, LETTERS, SMALL_LETTERS } from './letters';
export { assertMarbles, MarbleError, marbles } from './marbles';
export { pairUp } from './pairUp';
