/** Describes in lines how one lane differs. */
import { toVisible } from '../log';
import { toDifferenceText } from '../marbles';
import type { LaneResult } from './compare';
import { toMarbles } from './toMarbles';

const MAX_VALUES = 10;

/**
 * The marbles of both sides, where they part, and which values differ; no lines for a lane that is the same. Nothing of a
 * tape in them can command a terminal.
 */
export const describeLane = (result: LaneResult): string[] => linesOf(result).map(toVisible);

const linesOf = (result: LaneResult): string[] => {
  const { difference, recorded, now } = result;
  if (difference === undefined) return [];
  const { at, values, reason } = difference;
  if (reason !== undefined) return [reason];
  const more = values.length > MAX_VALUES ? [`… and ${values.length - MAX_VALUES} more`] : [];
  return [
    ...toMarbles(result),
    `recorded: ${placeOf(recorded[at])}; now: ${placeOf(now[at])}`,
    ...values.slice(0, MAX_VALUES).map(toDifferenceText),
    ...more,
  ];
};

const placeOf = (one: { lineNumber: number; label: string } | undefined): string =>
  one ? `${one.label} (line ${one.lineNumber})` : 'nothing';

/** The name of a lane: its request, and the line of the request on the tape. */
export const titleOf = ({ label, lineNumber }: LaneResult): string =>
  toVisible(lineNumber === 0 ? label : `${label} (line ${lineNumber})`);
