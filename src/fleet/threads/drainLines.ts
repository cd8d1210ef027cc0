/** Appends lines as they come, one append at a time. */
import { concat, defer, EMPTY, exhaustMap, type Observable, type OperatorFunction, takeUntil } from 'rxjs';

/**
 * @param take takes what waits, '' where nothing does; @param append is subscribed to once the one before has completed, and emits nothing
 * @param end$ emits when nothing more comes
 */
export type DrainDeps = { take: () => string; append: (text: string) => Observable<never>; end$: Observable<unknown> };

/**
 * Lines that come during an append are one text of the next. Emits nothing; completes when nothing waits after the end, also where the source never
 * completes. Errors with `append`.
 *   flush  a-bc---d-----      (a append takes three frames)
 *   end    ---------x---
 *   append (a--)(bc-)(d--)
 *   out    ----------|
 */
export const drainLines =
  ({ take, append, end$ }: DrainDeps): OperatorFunction<unknown, never> =>
  (flush$) => {
    const drain$: Observable<never> = defer(() => {
      const text = take();
      return text === '' ? EMPTY : concat(append(text), drain$);
    });
    return concat(
      flush$.pipe(
        takeUntil(end$),
        exhaustMap(() => drain$),
      ),
      drain$,
    );
  };
