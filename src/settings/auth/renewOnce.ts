/** Renews a login once, for all processes that share it. */
import { concatMap, defer, finalize, type Observable, of, repeat, take } from 'rxjs';
import { FileError } from '../../io/files/fileError';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { failIfLate } from '../../streams/time/limits';
import { AuthError } from './authError';

type RenewDeps<T> = {
  lock: PrivateFiles['lock'];
  /** The path of the lock that the renewing process holds. */
  lockPath: string;
  /** What another process got since the login was read; undefined if there is nothing new. */
  changed: () => T | undefined;
  /** Asks the server and stores its response. */
  renew: () => Observable<T>;
  /** The name of the login, for an error. */
  name: string;
};

/** How often a process checks again while another one renews, and for how long, in ms. */
const LOOK_MS = 100;
const PATIENCE_MS = 60_000;

/**
 * Emits once: what another process got in the meantime, or what `renew` emits. Errors with AuthError if the lock cannot be taken, or another process does
 * not finish within 60 s, and as `changed` and `renew` do. The lock is released after `renew`, however it ends.
 *   lock   free             lock   taken, changed at n
 *   out    ----r            out    ----n      (r the response)
 */
export const renewOnce = <T extends object>({ lock, lockPath, changed, renew, name }: RenewDeps<T>): Observable<T> => {
  const locked = (): ReturnType<typeof lock> => {
    try {
      return lock(lockPath);
    } catch (error) {
      throw error instanceof FileError ? new AuthError(`${name} cannot be renewed: ${error.message}`) : error;
    }
  };
  return defer((): Observable<T | undefined> => {
    const found = changed();
    if (found !== undefined) return of(found);
    const taken = locked();
    return taken.kind === 'taken' ? of(undefined) : renew().pipe(finalize(taken.release));
  }).pipe(
    repeat({ delay: LOOK_MS }),
    concatMap((one) => (one === undefined ? [] : [one])),
    take(1),
    failIfLate(PATIENCE_MS, () => new AuthError(`another process is renewing ${name} and does not finish; try again`)),
  );
};
