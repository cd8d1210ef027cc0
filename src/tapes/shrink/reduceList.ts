/** Tries ever shorter lists, one trial after the other. */
import { EMPTY, expand, map, type Observable, of } from 'rxjs';
import { afterTrial, candidateOf, type Reduction, startReduction } from './pickLines';

/** How far a reduction is. */
export type Trial<T, R> = {
  reduction: Reduction<T>;
  /** How many trials there were. */
  runs: number;
  /** Of the last trial that failed. */
  result: R;
};

/** A trial of some of the items, after the last failed trial: its result if it fails too, else undefined. */
export type TryItems<T, R> = (items: readonly T[], last: R) => Observable<R | undefined>;

/**
 * Leaves out items as long as what is left fails. Emits the state at the beginning and after each trial; completes if nothing more can be left out, or after
 * so many trials. Errors with a trial.
 *   trials -p-f-f|      (p passes, f fails)
 *   out    s-s-t-u|     (s the whole list, t and u shorter)
 */
export const reduceList = <T, R>(
  items: readonly T[],
  start: { runs: number; result: R; maxRuns: number },
  tryItems: TryItems<T, R>,
): Observable<Trial<T, R>> =>
  of<Trial<T, R>>({ reduction: startReduction(items), runs: start.runs, result: start.result }).pipe(
    expand(({ reduction, runs, result }) => {
      const candidate = runs < start.maxRuns ? candidateOf(reduction) : undefined;
      if (candidate === undefined) return EMPTY;
      return tryItems(candidate, result).pipe(
        map((failed) => ({
          reduction: afterTrial(reduction, failed === undefined ? 'passes' : 'fails'),
          runs: runs + 1,
          result: failed ?? result,
        })),
      );
    }),
  );
