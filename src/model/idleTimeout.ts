/** Limits how long a stream may be silent. */
import {
  concat,
  filter,
  interval,
  type MonoTypeOperatorFunction,
  map,
  merge,
  of,
  takeWhile,
  throwError,
  timeout,
} from 'rxjs';
import type { Backpressure } from '../streams';
import { idleFailure } from './failures';

/** What resets the clock: a value, or a beat while the client reads slowly. */
type Life<T> = { kind: 'value'; value: T } | { kind: 'beat' } | { kind: 'end' };

/**
 * Errors when nothing comes for too long. The clock stands still while the client reads slowly.
 * @param idleMs 0 means for ever
 *   in  a-- 300ms
 *   out a-- 300ms #
 * Source: Codex 0.28.0 `stream_idle_timeout_ms`, cases mh25 and mh26.
 */
export const idleTimeout =
  <T>({ idleMs, isFull }: { idleMs: number; isFull: Backpressure['isFull'] }): MonoTypeOperatorFunction<T> =>
  (source$) => {
    if (idleMs <= 0) return source$;
    const beat$ = interval(Math.max(1, idleMs / 2)).pipe(
      filter(isFull),
      map((): Life<T> => ({ kind: 'beat' })),
    );
    const value$ = source$.pipe(map((value): Life<T> => ({ kind: 'value', value })));
    return merge(concat(value$, of<Life<T>>({ kind: 'end' })), beat$).pipe(
      takeWhile(({ kind }) => kind !== 'end'),
      timeout({ each: idleMs, with: () => throwError(idleFailure) }),
      filter((life) => life.kind === 'value'),
      map(({ value }) => value),
    );
  };
