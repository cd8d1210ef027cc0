/** Writing to a subject that only one process may write to at a time, and the stream that its first user makes. */
import { catchError, defer, map, type Observable, throwError } from 'rxjs';
import { isNatsFailure, NatsError } from '../../io/nats/natsAddress';
import type { NatsAppend, NatsAppended, NatsLink, NatsStored, NatsStreamSpec } from '../link/natsLink';

type AppendAfterDeps = {
  link: Pick<NatsLink, 'append' | 'lastOf'>;
  /** The stream of the subject. */
  stream: string;
  /** The error if another process has written; `last` is the last message of the subject. */
  taken: (last: NatsStored | undefined) => Error;
};

const MESSAGE_ID = 'Nats-Msg-Id';

/**
 * Appends a message with an `id` and the sequence of its predecessor; emits once the stream has it. On a conflict it looks at the last message of the
 * subject, since our own earlier attempt may be the cause:
 * - it is this message: our attempt was stored, which is success
 * - it is our predecessor: a cluster is still storing our first attempt; errors with `timeout`, so that `retryPassing` sends it again
 * - it is another message: errors with `taken`
 *   link   -x            (x: a conflict)
 *   last     --6         (6: this message)
 *   out    ---6
 */
export const appendAfter =
  ({ link, stream, taken }: AppendAfterDeps) =>
  (message: NatsAppend): Observable<NatsAppended> => {
    const toAppended = (last: NatsStored | undefined): NatsAppended => {
      const { id, expectSubjectSeq } = message;
      if (last !== undefined && id !== undefined && last.headers[MESSAGE_ID] === id)
        return { seq: last.seq, isDuplicate: true };
      throw (last?.seq ?? 0) === expectSubjectSeq ? beingStored(stream) : taken(last);
    };
    return defer(() => link.append(message)).pipe(
      catchError((error) =>
        isNatsFailure(error, 'conflict')
          ? link.lastOf(stream, message.subject).pipe(map(toAppended))
          : throwError(() => error),
      ),
    );
  };

const beingStored = (stream: string): NatsError =>
  new NatsError('timeout', `writing to ${stream}: the message is being stored`);

type MakeStreamSpec = Pick<NatsStreamSpec, 'name' | 'description'> & { subject: string };

/** Emits once when the stream is there. A new one has only the limits of the server, and refuses what does not fit. */
export const makeStream =
  (link: Pick<NatsLink, 'ensureStream'>) =>
  ({ name, subject, description }: MakeStreamSpec): Observable<unknown> =>
    link.ensureStream({
      name,
      subjects: [subject],
      maxBytes: 0,
      maxAgeMs: 0,
      discard: 'new',
      replicas: 1,
      ...(description !== undefined && { description }),
    });
