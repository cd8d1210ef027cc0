/** Merges streams when thousands are open at once. */
import { mergeMap, type Observable, type OperatorFunction, windowCount } from 'rxjs';

/**
 * As `mergeMap`, whose cost for the end of one stream grows with how many are open: it looks for it among all of them. Here it does among
 * those of its group. Completes when the source and all streams have; errors with any of them, and with what `project` throws.
 *   in          a-b------|
 *   project(a)  ---x----y|
 *   project(b)    --z|
 *   out         ---xz---y|
 */
export const mergeInGroups =
  <T, R>(project: (item: T) => Observable<R>, groupSize = GROUP_SIZE): OperatorFunction<T, R> =>
  (item$) =>
    item$.pipe(
      windowCount(groupSize),
      mergeMap((group$) => group$.pipe(mergeMap(project))),
    );

/** Source: of 10,000 open streams the ends took 30 % of all time with `mergeMap` alone; from 32 to 256 there is no difference. */
const GROUP_SIZE = 64;
