/** Reads the retained output of a process, and waits for more of it. */
import { concat, defer, filter, ignoreElements, map, merge, type Observable, of, take, timer } from 'rxjs';
import type { OutputPage, ReadRequest } from '../../protocol/exec/process';

export type ReadDeps = {
  page: (from: Omit<ReadRequest, 'waitMs'>) => OutputPage;
  change$: Observable<unknown>;
};

/**
 * Emits a page at once when there is something new, else with the first change that brings it, at `waitMs`, or when no more
 * changes come.
 *   change$ --a---b-|     (b brings output)
 *   out     ------(P|)
 * Source: codex exec-server 0.142.0, process/read: chunks, a close, or an exit not read yet end the wait.
 */
export const readRetained =
  ({ page, change$ }: ReadDeps) =>
  ({ waitMs, ...from }: ReadRequest): Observable<OutputPage> =>
    defer(() => {
      const now = page(from);
      if (waitMs === 0 || hasMore(now, from.afterSeq)) return of(now);
      const last$ = defer(() => of(page(from)));
      const more$ = change$.pipe(
        map(() => page(from)),
        filter((later) => hasMore(later, from.afterSeq)),
      );
      return merge(concat(more$, last$), concat(timer(waitMs).pipe(ignoreElements()), last$)).pipe(take(1));
    });

const hasMore = ({ chunks, nextSeq, exited, closed }: OutputPage, afterSeq: number): boolean =>
  chunks.length > 0 || closed || (exited && afterSeq < nextSeq - 1);
