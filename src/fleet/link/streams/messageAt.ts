/** One message that a stream has stored. */
import type { MsgRequest, StoredMsg } from '@nats-io/jetstream';
import { catchError, map, type Observable, of, throwError } from 'rxjs';
import { isNatsFailure } from '../../../io/nats/natsAddress';
import { callNats, type NatsOwn, toHeaders, withoutJetStream } from '../natsConnection';
import type { NatsStored } from '../natsLink';

/** The last of a subject, or its first at a sequence or after it. */
type MessageQuery = { last_by_subj: string } | { seq: number; next_by_subj: string };

/** Emits it, undefined if there is none, and completes. It is asked of the leader of the stream. */
export const messageAt = (own: NatsOwn, stream: string, query: MessageQuery): Observable<NatsStored | undefined> => {
  const run = () => own.manager.streams.getMessage(stream, query as MsgRequest);
  return callNats(own, { what: `reading ${stream}`, run, whySilent: withoutJetStream(own) }).pipe(
    map((message) => (message === null ? undefined : toStored(message))),
    orUndefined(),
  );
};

/** What is absent is undefined. */
export const orUndefined = <T>() =>
  catchError<T | undefined, Observable<undefined>>((error) =>
    isNatsFailure(error, 'absent') ? of(undefined) : throwError(() => error),
  );

const toStored = ({ seq, subject, data, header, time }: StoredMsg): NatsStored => ({
  kind: 'message',
  seq,
  subject,
  data,
  headers: toHeaders(header),
  atMs: time.getTime(),
  order: 1,
  pending: 0,
});
