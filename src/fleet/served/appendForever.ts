/** Appends messages to the stream of an executor, and retries forever. */
import { catchError, concat, EMPTY, ignoreElements, type Observable, retry } from 'rxjs';
import { isNatsFailure } from '../../io/nats/natsAddress';
import type { Log } from '../../protocol/log';
import type { NatsLink } from '../link/natsLink';
import { waitBefore } from '../operators/retryPassing';
import type { EventMessage } from './storeEvents';

/**
 * @param makeRoom removes what is not needed from a stream that is full
 * @param makeStream makes the stream where it is gone
 */
export type AppendDeps = {
  link: Pick<NatsLink, 'append'>;
  makeRoom: () => Observable<unknown>;
  makeStream: () => Observable<unknown>;
  log: Log;
};

/**
 * Emits when the stream has the message. After a failure it is sent again with the same id, so the stream has it once; a full stream is
 * given room first, a missing one is made. A timeout may mean a missing stream: where a reader is subscribed to the subject, no server
 * reports that no stream takes the message. Errors only with `large`, where a message has several events.
 *   link  --#--------A     (# full, A stored)
 *   out   -----------A
 */
export const appendForever =
  ({ link, makeRoom, makeStream, log }: AppendDeps) =>
  (message: EventMessage): Observable<{ seq: number }> =>
    link.append(message).pipe(
      retry({
        delay: (error: unknown, attempt) => {
          if (isNatsFailure(error, 'large') && !message.isOneEvent) throw error;
          if (attempt === 1) log('warning', 'output waits for the stream', { reason: (error as Error).message });
          return concat(remedy({ makeRoom, makeStream }, error).pipe(untilEnd), waitBefore(attempt));
        },
      }),
    );

/** A remedy that fails is tried again with the next attempt. */
const untilEnd = (remedy$: Observable<unknown>): Observable<never> =>
  remedy$.pipe(
    ignoreElements(),
    catchError(() => EMPTY),
  );

const remedy = ({ makeRoom, makeStream }: Pick<AppendDeps, 'makeRoom' | 'makeStream'>, error: unknown) => {
  if (isNatsFailure(error, 'full')) return makeRoom();
  return isNatsFailure(error, 'noResponder', 'absent', 'timeout') ? makeStream() : EMPTY;
};
