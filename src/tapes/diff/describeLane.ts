/** Describes in lines how one lane differs. */
import { toVisible } from '../../io/log/toPlain';
import { differenceLines } from '../../streams/marbles/diffJson';
import { DEFAULT_COLUMNS } from '../../streams/marbles/drawMismatch';
import type { LaneResult } from './compare';
import { toMarbles } from './toMarbles';

const MAX_VALUES = 10;
const SIDES = ['recorded', 'now'] as const;
/** The columns by which reports are indented. */
const INDENT = 2;

/**
 * The marbles of both sides, where they part, and which values differ; no lines for a lane that is the same. No control
 * character of a tape reaches the terminal. @param columns of the terminal
 */
export const describeLane = (result: LaneResult, columns: number = DEFAULT_COLUMNS): string[] =>
  linesOf(result, columns).map(toVisible);

const linesOf = (result: LaneResult, columns: number): string[] => {
  const { difference, recorded, now } = result;
  if (difference === undefined) return [];
  const { at, values, reason } = difference;
  const more = values.length > MAX_VALUES ? [`… and ${values.length - MAX_VALUES} more`] : [];
  const shown = [...values.slice(0, MAX_VALUES).flatMap(differenceLines(SIDES, columns - INDENT)), ...more];
  if (reason !== undefined) return [reason, ...shown];
  return [...toMarbles(result, columns), `recorded: ${placeOf(recorded[at])}; now: ${placeOf(now[at])}`, ...shown];
};

const placeOf = (one: { lineNumber: number; label: string } | undefined): string =>
  one ? `${one.label} (line ${one.lineNumber})` : 'nothing';

/** The name of a lane: its request, and the line of the request on the tape. */
export const titleOf = ({ label, lineNumber }: LaneResult): string =>
  toVisible(lineNumber === 0 ? label : `${label} (line ${lineNumber})`);
