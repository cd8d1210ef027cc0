/** Sends a request again whose credential was rejected, when there is another one. */
import { filter, type MonoTypeOperatorFunction, type Observable, retry, throwError, throwIfEmpty } from 'rxjs';
import type { ModelError } from '../../protocol/model';

/** The server rejected the credential; `finalError` is the error when there is no other one. */
export class Unauthorized extends Error {
  override name = 'Unauthorized';
  constructor(readonly finalError: ModelError) {
    super(finalError.message);
  }
}

/**
 * Subscribes once more after an Unauthorized, if `refresh` finds another credential; the source reads it then.
 * @param refresh emits whether there is another credential, and completes; never errors
 * Emits what the attempts emit; errors with `finalError` where there is none, or for a second Unauthorized, and with any other error at once.
 *   in       -x        (Unauthorized), then -a|
 *   refresh   --y|
 *   out      ----a|
 */
export const retryUnauthorized =
  <T>(refresh: () => Observable<boolean>): MonoTypeOperatorFunction<T> =>
  (response$) =>
    response$.pipe(
      retry({
        delay: (error: unknown, n) => {
          if (!(error instanceof Unauthorized)) return throwError(() => error);
          if (n > 1) return throwError(() => error.finalError);
          return refresh().pipe(
            filter((isNew) => isNew),
            throwIfEmpty(() => error.finalError),
          );
        },
      }),
    );
