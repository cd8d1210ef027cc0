/** Reports a session that ended early as one difference, with its cause. */
import { EXIT_LABEL, type LaneResult, NOT_NOW } from './compare';

/** The results, with a single one in the place of those that follow from the early end. @param cause undefined where the session did not end early */
export const collapseUnplayed = (results: readonly LaneResult[], cause: string | undefined): readonly LaneResult[] => {
  const lost = results.filter(isLost);
  const [first] = lost;
  if (cause === undefined || first === undefined) return results;
  const { lineNumber } = first;
  const end: LaneResult = {
    label: 'the early end of the session',
    lineNumber,
    recorded: [],
    now: [],
    difference: { at: 0, reason: cause, values: [] },
  };
  return [...results.filter((result) => !lost.includes(result)), end];
};

/** A lane that was not played, or whose server lines ended too early. */
const isLost = ({ label, difference, recorded, now }: LaneResult): boolean =>
  difference !== undefined &&
  (label === EXIT_LABEL ||
    difference.reason === NOT_NOW ||
    (difference.at === now.length && now.length < recorded.length));
