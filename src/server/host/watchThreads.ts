/** Looks at the stored threads again and again, for what has changed. */
import { catchError, concat, EMPTY, filter, ignoreElements, map, type Observable, pairwise, repeat } from 'rxjs';
import type { ThreadSummary } from '../../threads/listing/threadSummary';
import type { ThreadChange } from '../mcp/library';

type Listed = readonly Pick<ThreadSummary, 'id' | 'writtenMs' | 'size'>[];

type WatchDeps = {
  /** Emits the threads once, as they are at its subscription. */
  list$: Observable<Listed>;
  /** Emits once, after that time, and completes. */
  after: (ms: number) => Observable<unknown>;
};

/** The time between two looks. A look reads the heads of up to a hundred files. */
const LOOK_MS = 2_000;

/**
 * Emits how the threads differ from the look before. A look that fails is left out: the next one shows what has changed since the last that did not.
 *   looks  a 2s a 2s b 2s #  2s c
 *   out    ----------B----------C     (B from a to b, C from b to c)
 */
export const watchThreads = ({ list$, after }: WatchDeps): Observable<ThreadChange> =>
  concat(list$.pipe(catchError(() => EMPTY)), after(LOOK_MS).pipe(ignoreElements())).pipe(
    repeat(),
    pairwise(),
    map(([before, now]) => toChange(before, now)),
    filter(({ changed, isListChanged }) => isListChanged || changed.length > 0),
  );

const toChange = (before: Listed, now: Listed): ThreadChange => {
  const old = new Map(before.map((one) => [one.id, one]));
  const isSame = ({ id, writtenMs, size }: Listed[number]) =>
    old.get(id)?.writtenMs === writtenMs && old.get(id)?.size === size;
  return {
    changed: now.filter((one) => !isSame(one)).map(({ id }) => id),
    isListChanged: now.length !== before.length || now.some(({ id }) => !old.has(id)),
  };
};
