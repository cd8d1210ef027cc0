/** Appends to a subject that only one process writes to: each message expects to follow the one before. */
import { catchError, defer, map, type Observable, throwError } from 'rxjs';
import { isNatsFailure, NatsError } from './natsError';
import type { NatsAppend, NatsAppended, NatsLink, NatsStored } from './natsLink';
import { retryPassing } from './retryPassing';

/**
 * @param stream that takes the subject; @param taken the error where another has written since, with the last message of the subject
 * @param patienceMs how long a message is sent again, by default without end
 */
export type AppendNextDeps = {
  link: Pick<NatsLink, 'append' | 'lastOf'>;
  stream: string;
  taken: (last: NatsStored | undefined) => Error;
  patienceMs?: number;
};

/** `id` is another one for each message; `expectSubjectSeq` is the sequence of the message before, 0 for none: the fencing token. */
export type NextMessage = NatsAppend & Required<Pick<NatsAppend, 'id' | 'expectSubjectSeq'>>;

/**
 * Emits once the stream has the message. What is in doubt is sent again, with its id. Errors with what does not pass, such as `full`, and with
 * `taken`, of which nothing of this message is stored.
 *   link  -t           (t no response in time)
 *   link     --a       (100 ms later)
 *   out   -----(s|)
 */
export const appendNext =
  ({ link, stream, taken, patienceMs }: AppendNextDeps) =>
  (message: NextMessage): Observable<NatsAppended> =>
    defer(() => link.append(message)).pipe(
      catchError((error) => {
        if (!isNatsFailure(error, 'conflict')) return throwError(() => error);
        return link.lastOf(stream, message.subject).pipe(map((last) => ownOf(message, last, taken)));
      }),
      retryPassing(patienceMs),
    );

/** The header in which a server stores the id of a message. */
const MESSAGE_ID = 'Nats-Msg-Id';

/**
 * A conflict is looked into. The subject ends with this message: an attempt before was stored, longer ago than the server remembers ids. It ends
 * with the one before: a cluster is still storing an attempt before, so it is sent again. Else another has written.
 */
const ownOf = (message: NextMessage, last: NatsStored | undefined, taken: AppendNextDeps['taken']): NatsAppended => {
  if (last !== undefined && last.headers[MESSAGE_ID] === message.id) return { seq: last.seq, isDuplicate: true };
  if ((last?.seq ?? 0) === message.expectSubjectSeq) throw new NatsError('timeout', 'the message is being stored');
  throw taken(last);
};
