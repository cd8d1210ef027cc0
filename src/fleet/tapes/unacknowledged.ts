/** The bytes of a tape that the server has not acknowledged. */
import { map, type Observable, Subject, startWith, switchMap, timer } from 'rxjs';
import { reasonOf } from '../../streams/text/reasonOf';

/**
 * `add` counts bytes that are sent, `acknowledge` those that have arrived, `inDoubt` takes why the first of them are sent again. `tooMany` is the error of a
 * recorder that waits no longer; `late$` emits it when nothing was acknowledged for `settleMs`, counted from its subscription, and does not complete.
 */
export type Unacknowledged = {
  bytes: () => number;
  add: (bytes: number) => void;
  acknowledge: (bytes: number) => void;
  inDoubt: (error: unknown) => void;
  tooMany: () => Error;
  late$: Observable<string>;
};

/** Makes the counter. It counts in place, as every write is counted. */
export const unacknowledged = (address: string, settleMs: number): Unacknowledged => {
  const acknowledged$ = new Subject<void>(); // each restarts the time that a close waits
  let waiting = 0;
  let doubt = '';
  return {
    bytes: () => waiting,
    add: (bytes) => {
      waiting += bytes;
    },
    acknowledge: (bytes) => {
      waiting -= bytes;
      doubt = '';
      acknowledged$.next();
    },
    inDoubt: (error) => {
      doubt = `: ${reasonOf(error)}`;
    },
    tooMany: () => new Error(`${waiting} bytes wait for ${address}, which is away or too slow`),
    late$: acknowledged$.pipe(
      startWith(undefined),
      switchMap(() => timer(settleMs)),
      map(() => `${waiting} bytes were not acknowledged by ${address}${doubt}`),
    ),
  };
};
