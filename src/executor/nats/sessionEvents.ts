/** The events of a session's processes, read from the stream of their executor. */
import {
  debounceTime,
  filter,
  type Observable,
  type OperatorFunction,
  ReplaySubject,
  race,
  switchMap,
  take,
  tap,
} from 'rxjs';
import type { StoredEvents, StoredItem } from '../../executor';
import type { Log } from '../../log';
import { type Backpressure, mapMulti } from '../../streams';
import { fromToken, lastToken, type NatsLink, type NatsRead, readStream } from '../../transport/nats';
import { decodeEvents, EVENTS_HEADER } from './eventMessage';
import { fromBatch } from './placeEvents';
import { execSubjects } from './subjects';

/** @param backpressure while it is full nothing is read */
export type SessionEventsDeps = { link$: Observable<NatsLink>; executor: string; backpressure: Backpressure; log: Log };

/** A stream of which nothing comes for so long, though its reader takes it, is lost. */
const STALLED_MS = 60_000;
/** How long a stream that was read to its end is watched: what an executor sent last may still be on its way. */
const QUIET_MS = 300;

/**
 * Reads from the first message on that is kept, and goes on at the next one when a consumer is lost. Messages that cannot be read are logged and
 * skipped: they become a gap.
 */
export const sessionEvents = ({ link$, executor, backpressure, log }: SessionEventsDeps): StoredEvents => {
  const pending$ = new ReplaySubject<number>(1); // the wire from the reader to whoever waits for its end
  pending$.next(0);
  return {
    read: (session) =>
      link$.pipe(
        switchMap((link) => {
          const subjects = execSubjects(link.prefix);
          const wanted = { stream: subjects.stream(executor), subject: subjects.eventsOfSession(executor, session) };
          return readStream(link)({ ...wanted, from: 1, backpressure });
        }),
        tap((read) => {
          if (read.kind !== 'gap') pending$.next(read.kind === 'message' ? read.pending : 0);
        }),
        toItems(log),
      ),
    untilRead: () => {
      const read$ = pending$.pipe(
        debounceTime(QUIET_MS),
        filter((pending) => pending === 0),
      );
      const stalled$ = pending$.pipe(
        debounceTime(STALLED_MS),
        filter(() => !backpressure.isFull()),
      );
      return race(read$, stalled$).pipe(take(1));
    },
  };
};

const toItems = (log: Log): OperatorFunction<NatsRead, StoredItem> =>
  mapMulti((read, emit) => {
    if (read.kind !== 'message') return;
    try {
      const batch = decodeEvents(read.headers[EVENTS_HEADER] ?? '', read.data);
      emit({ processId: fromToken(lastToken(read.subject)), placed: fromBatch(batch) });
    } catch (error) {
      log('warning', 'a message of events cannot be read', { subject: read.subject, why: (error as Error).message });
    }
  });
