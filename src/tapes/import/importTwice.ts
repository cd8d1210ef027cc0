/** Imports a session of any size. */
import { concat, defer, ignoreElements, map, type Observable, of, tap } from 'rxjs';
import type { TapeItem } from '../format/tape';
import type { SessionImporter } from './importSession';

/**
 * The items of a session in pieces. The lines are read twice, so that no more of them is in memory than a piece. Completes and errors with the readings.
 *   lines  -abc|           (the first reading)
 *   lines       -abc|      (the second)
 *   out    -----B-ABC(E|)  (B the beginning of the session, E its end)
 */
export const importTwice = (
  line$: Observable<string>,
  { learn, begin, read, end }: SessionImporter,
): Observable<readonly TapeItem[]> =>
  concat(
    line$.pipe(tap(learn), ignoreElements()),
    defer(() => of(begin())),
    line$.pipe(map(read)),
    defer(() => of(end())),
  );
