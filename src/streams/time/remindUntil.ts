/** Reminds of a source that has not emitted yet. */
import { connect, endWith, ignoreElements, type MonoTypeOperatorFunction, merge, takeUntil, tap, timer } from 'rxjs';

/** When to remind, in ms: first, and then again and again. */
export type Reminding = { firstMs: number; everyMs: number };

/**
 * Calls `remind` after a while, and then again and again, until the source emits or ends. Emits, completes and errors with the source.
 *   in      -------a--|
 *   remind  ---x-x          (firstMs 3, everyMs 2)
 *   out     -------a--|
 */
export const remindUntil = <T>({ firstMs, everyMs }: Reminding, remind: () => void): MonoTypeOperatorFunction<T> =>
  connect((source$) =>
    merge(
      source$,
      timer(firstMs, everyMs).pipe(takeUntil(source$.pipe(endWith(undefined))), tap(remind), ignoreElements()),
    ),
  );
