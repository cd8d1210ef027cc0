/** Finds lanes that are the same to the byte and need no mask. */
import { lazy } from '../../streams/lazy/lazy';
import type { Handles } from '../handles/handles';
import type { LanePair } from './pairLanes';
import type { Comparer } from './toComparer';

/** The most handles that every line is searched for. */
const MAX_REBOUND = 50;

/** Whether both lanes of a pair have the same lines, to the byte. */
const isIdentical = ({ recorded, now }: LanePair): boolean =>
  recorded !== undefined &&
  recorded.lines.length === now?.lines.length &&
  recorded.lines.every(({ line }, i) => line === now.lines[i]?.line);

/**
 * Makes the function that finds such pairs. Even a lane of the same bytes differs where it has a handle that the other session
 * issued elsewhere.
 */
export const isUntouched = (
  pairs: readonly LanePair[],
  [before, after]: readonly [Comparer, Comparer],
): ((pair: LanePair) => boolean) => {
  if (pairs.every(isIdentical)) return () => true;
  const rebound = lazy(() => reboundTexts(before.handles(), after.handles()));
  return (pair) =>
    isIdentical(pair) &&
    rebound().length <= MAX_REBOUND &&
    (pair.recorded?.lines.every(({ line }) => rebound().every((text) => !line.includes(text))) ?? true);
};

/** The texts of handles that the sessions issued at different places. */
const reboundTexts = (before: Handles, after: Handles): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key)?.origin !== after.get(key)?.origin)
    .map((key) => key.replace(/^= /, ''));
