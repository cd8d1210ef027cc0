/** Owns reading what a process said, and waiting for it to say more. */
import { concat, defer, filter, ignoreElements, map, merge, type Observable, of, take, timer } from 'rxjs';
import type { OutputPage, ReadRequest } from '../../protocol/exec';

export type ReadDeps = {
  page: (from: Omit<ReadRequest, 'waitMs'>) => OutputPage;
  change$: Observable<unknown>;
};

/**
 * Answers a read at once when there is news, else at the first news, at `waitMs`, or when no more changes come.
 *   change$ --a---b-|     (b brings output)
 *   out     ------(P|)
 * Source: codex exec-server 0.142.0, process/read: chunks, a close, or an exit not read yet end the wait.
 */
export const readKept =
  ({ page, change$ }: ReadDeps) =>
  ({ waitMs, ...from }: ReadRequest): Observable<OutputPage> =>
    defer(() => {
      const now = page(from);
      if (waitMs === 0 || isNews(now, from.afterSeq)) return of(now);
      const last$ = defer(() => of(page(from)));
      const news$ = change$.pipe(
        map(() => page(from)),
        filter((later) => isNews(later, from.afterSeq)),
      );
      return merge(concat(news$, last$), concat(timer(waitMs).pipe(ignoreElements()), last$)).pipe(take(1));
    });

const isNews = ({ chunks, nextSeq, exited, closed }: OutputPage, afterSeq: number): boolean =>
  chunks.length > 0 || closed || (exited && afterSeq < nextSeq - 1);
