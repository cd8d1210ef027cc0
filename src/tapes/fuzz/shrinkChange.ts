/** Tries ever smaller values in a changed request that shows a fault. */
import { EMPTY, expand, last, map, type Observable, of } from 'rxjs';
import { toJson } from '../../protocol/jsonrpc/json';
import type { Session } from '../format/tape';
import type { Change } from './fuzzSession';

/** A change that shows a fault. */
export type ShownFault = {
  change: Change;
  /** The session that shows it. */
  now: Session;
  /** How many trials there were. */
  runs: number;
};

/**
 * Emits the smallest change that was found once nothing smaller shows the fault, or after so many trials, and completes. Errors with a trial.
 * @param tryChange plays it: the session if it shows the fault too, else undefined
 */
export const shrinkChange = (
  start: ShownFault,
  tryChange: (change: Change) => Observable<Session | undefined>,
  maxRuns: number,
): Observable<ShownFault> => {
  const tried = new Set<string>();
  const isNew = ({ params }: Change): boolean => !tried.has(toJson(params));
  return of({ shown: start, next: start.change.smaller() }).pipe(
    expand(({ shown, next }) => {
      const at = next.findIndex(isNew);
      const change = next[at];
      if (change === undefined || shown.runs >= maxRuns) return EMPTY;
      tried.add(toJson(change.params));
      const runs = shown.runs + 1;
      return tryChange(change).pipe(
        map((now) =>
          now === undefined
            ? { shown: { ...shown, runs }, next: next.slice(at + 1) }
            : { shown: { change, now, runs }, next: change.smaller() },
        ),
      );
    }),
    last(),
    map(({ shown }) => shown),
  );
};
