/** Where the events of a session come from: the subject they are published on, the stream that stores them, reports of the executor. */
import { catchError, EMPTY, exhaustMap, filter, map, merge, type Observable, skip, timer } from 'rxjs';
import type { StoredItem } from '../../executor/storedEvent';
import type { Log } from '../../protocol/log';
import type { Backpressure } from '../../streams/backpressure';
import { mapMulti } from '../../streams/gather';
import { NOTHING } from '../executor/busMessage';
import { decodeEvents, EVENTS_HEADER } from '../executor/eventMessage';
import { fromBatch } from '../executor/placeEvents';
import { execSubjects } from '../executor/subjects';
import { decodeReport, SESSION_HEADER } from '../executor/unreadReport';
import type { NatsHeaders, NatsLink } from '../link/natsLink';
import { fromToken, lastToken } from '../link/tokens';
import { type NatsRead, readStream } from '../operators/readStream';
import type { FollowInput } from './reduceFollowing';

/** @param session its id; @param backpressure while it is full the stream is read no further */
export type SourceDeps = {
  link: NatsLink;
  executor: string;
  session: string;
  backpressure: Backpressure;
  log: Log;
};

/** How often the executor is asked what is unread: servers of a cluster that lose each other drop published messages silently. */
const REPORT_MS = 2_000;

/** The events of the session as they are published, not from the stream. */
export const publishedEvents = ({ link, executor, session, log }: SourceDeps): Observable<StoredItem> =>
  link.subscribe({ subject: execSubjects(link.prefix).eventsOfSession(executor, session) }).pipe(
    mapMulti((delivery, emit) => {
      const item = toItem(delivery, log);
      if (item !== undefined) emit(item);
    }),
  );

/**
 * Reads the session from the stream, starting at a sequence. A lost consumer is replaced, and reading goes on at the next message. A message
 * that cannot be decoded is logged, and emitted without an item.
 */
export const streamEvents =
  ({ link, executor, session, backpressure, log }: SourceDeps) =>
  (from: number): Observable<FollowInput> => {
    const subjects = execSubjects(link.prefix);
    const wanted = { stream: subjects.stream(executor), subject: subjects.eventsOfSession(executor, session) };
    return readStream(link)({ ...wanted, from, backpressure }).pipe(
      mapMulti((read: NatsRead, emit: (input: FollowInput) => void) => {
        if (read.kind === 'caughtUp') emit({ kind: 'stored', seq: 0, pending: 0 });
        if (read.kind !== 'message') return;
        const { seq, pending } = read;
        const item = toItem(read, log);
        emit({ kind: 'stored', seq, pending, ...(item !== undefined && { item }) });
      }),
    );
  };

/** What the executor reports of the session every other second, and each loss of the connection. */
export const sessionNotes = ({ link, executor, session }: SourceDeps): Observable<FollowInput> => {
  const subject = execSubjects(link.prefix).status(executor);
  const request = { subject, data: NOTHING, headers: { [SESSION_HEADER]: session }, timeoutMs: REPORT_MS };
  const report$ = timer(REPORT_MS, REPORT_MS).pipe(
    exhaustMap(() => link.request(request).pipe(catchError(() => EMPTY))),
    map(({ data }) => decodeReport(data)),
    filter((report) => report !== undefined),
    map((report): FollowInput => ({ kind: 'report', report })),
  );
  const missed$ = link.state$.pipe(
    skip(1), // the state now
    map((): FollowInput => ({ kind: 'missed' })),
  );
  return merge(report$, missed$);
};

type Message = { subject: string; data: Uint8Array; headers: NatsHeaders };

const toItem = ({ subject, headers, data }: Message, log: Log): StoredItem | undefined => {
  try {
    const batch = decodeEvents(headers[EVENTS_HEADER] ?? '', data);
    return { processId: fromToken(lastToken(subject)), placed: fromBatch(batch) };
  } catch (error) {
    log('warning', 'a message of events cannot be read', { subject, why: (error as Error).message });
    return undefined;
  }
};
