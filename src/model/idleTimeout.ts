/** Limits how long a stream may be silent. */
import {
  endWith,
  filter,
  interval,
  type MonoTypeOperatorFunction,
  map,
  merge,
  takeWhile,
  throwError,
  timeout,
} from 'rxjs';
import type { Backpressure } from '../streams';
import { idleFailure } from './failures';

/**
 * Errors when no text comes for too long, be it an event or a comment. The clock stands still while the client reads slowly.
 * @param idleMs 0 means for ever
 *   in  a-- 300ms
 *   out a-- 300ms #
 * Source: Codex 0.28.0 `stream_idle_timeout_ms`, cases mh25 and mh26; that comments count is ours.
 */
export const idleTimeout =
  ({ idleMs, isFull }: { idleMs: number; isFull: Backpressure['isFull'] }): MonoTypeOperatorFunction<string> =>
  (text$) => {
    if (idleMs <= 0) return text$;
    const beat$ = interval(Math.max(1, idleMs / 2)).pipe(
      filter(isFull),
      map(() => ''),
    );
    return merge(text$.pipe(endWith(null)), beat$).pipe(
      takeWhile((text) => text !== null),
      timeout({ each: idleMs, with: () => throwError(idleFailure) }),
      filter((text) => text !== ''),
    );
  };
