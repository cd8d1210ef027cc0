/** Repeats a request that got no usable response: after a growing pause, with another credential, or without what the server refused. */
import {
  defer,
  filter,
  type MonoTypeOperatorFunction,
  type Observable,
  of,
  retry,
  throwError,
  throwIfEmpty,
  timer,
} from 'rxjs';
import { backoffMs } from '../../streams/time/wait';
import { FailedAttempt, Unauthorized } from './failures';

/** The server refused a part of the request, which is sent again without it. */
export class Conceded extends Error {
  override name = 'Conceded';
}

/** Between two attempts, whatever the server asks for. */
export const LONGEST_WAIT_MS = 60_000;

type RetryDeps = {
  /** After the first attempt, not counting attempts with another credential. */
  maxRetries: number;
  random: () => number;
  /** Emits whether there is another credential, and completes; never errors. */
  refresh: () => Observable<boolean>;
};

/**
 * Subscribes again after a FailedAttempt, at once after Conceded, and once after an Unauthorized if `refresh` finds another credential, which the source
 * Emits what the attempts emit; errors with `finalError` of the last attempt, or with any other error at once.
 *   in  -x      (FailedAttempt), then -a|      in       -u        (Unauthorized), then -a|
 *   out - 200ms -a|                            refresh   --y|
 *                                              out      ----a|
 * Source: Codex 0.28.0, cases mh04 to mh16; the cap of 60 s is ours.
 */
export const retryRequest =
  <T>({ maxRetries, random, refresh }: RetryDeps): MonoTypeOperatorFunction<T> =>
  (response$) =>
    defer(() => {
      let failures = 0;
      let isRefreshed = false; // since the last failure
      const delay = (error: unknown): Observable<unknown> => {
        if (error instanceof Unauthorized) {
          if (isRefreshed) return throwError(() => error.finalError);
          isRefreshed = true;
          return renewed(refresh(), error);
        }
        if (error instanceof Conceded) return of(true);
        if (!(error instanceof FailedAttempt)) return throwError(() => error);
        isRefreshed = false;
        failures += 1;
        if (failures > maxRetries) return throwError(() => error.finalError);
        return timer(Math.min(error.waitMs ?? backoffMs(failures, random), LONGEST_WAIT_MS));
      };
      return response$.pipe(retry({ delay }));
    });

const renewed = (isNew$: Observable<boolean>, { finalError }: Unauthorized): Observable<boolean> =>
  isNew$.pipe(
    filter((isNew) => isNew),
    throwIfEmpty(() => finalError),
  );
