/** Removes what was read from the stream of an executor. */
import { catchError, defer, EMPTY, from, mergeMap, type Observable, of, throwError } from 'rxjs';
import { isNatsFailure } from '../../io/nats/natsError';
import { mapAtOnce } from '../../streams/scanInTurn';
import type { NatsLink } from '../link/natsLink';
import type { Removal } from './streamNeeds';

/** How many removals are under way at the same time. */
const REMOVALS = 32;
/** Up to this many messages are removed one by one: to remove them together takes two requests. */
const FEW = 4;

/**
 * Removes messages. Those before the sequence before which nobody needs any are removed together: one by one, output took the server half as much processor
 * time again. The others go one by one: after a purge of a subject, consumers of wider subjects skip unread messages (nats-server 2.9.10).
 * A message that is gone, or cannot be removed now, is left to the limits of the stream. Completes; errors with `refused` where the login may not remove.
 *   removeBefore(3)  --T|      (T it did, 1 and 2 are gone)
 *   remove(4)          -R|
 *   out              ---R|
 */
export const removeMessages = (link: Pick<NatsLink, 'remove' | 'removeBefore'>, stream: string) => {
  let isDenied = false; // the login may have the right to remove single messages only; each denial is in the log of the server
  const oneByOne = (seqs: readonly number[]) =>
    from(seqs).pipe(mapAtOnce(REMOVALS, (seq) => link.remove(stream, seq).pipe(catchError(unlessRefused))));
  const together = ({ own, before }: Removal) =>
    link.removeBefore({ stream, from: own, before }).pipe(
      catchError((error) => {
        isDenied ||= isNatsFailure(error, 'refused');
        return of(false);
      }),
    );
  return (removal: Removal): Observable<unknown> =>
    defer(() => {
      const { seqs, before } = removal;
      if (isDenied || seqs.filter((seq) => seq < before).length <= FEW) return oneByOne(seqs);
      return together(removal).pipe(
        mergeMap((isDone) => oneByOne(isDone ? seqs.filter((seq) => seq >= before) : seqs)),
      );
    });
};

const unlessRefused = (error: unknown): Observable<never> =>
  isNatsFailure(error, 'refused') ? throwError(() => error) : EMPTY;
