/** The threads that a store holds. */
import { defer, EMPTY, filter, from, map, merge, type Observable, reduce, switchMap, takeWhile, timeout } from 'rxjs';
import { noBackpressure } from '../../streams/backpressure';
import { mapAtOnce } from '../../streams/scanInTurn';
import { toRolloutName } from '../../threads/listing/rolloutFiles';
import type { ThreadSummary } from '../../threads/listing/threadSummary';
import type { NatsStored } from '../link/natsLink';
import { fromToken, lastToken } from '../link/tokens';
import { readStream } from '../operators/readStream';
import { factsAt, type KnownFacts } from './readLog';
import type { ThreadPlace } from './threadPlace';

/** How many threads are asked for at a time. */
const AT_ONCE = 16;
/** How long a consumer may be silent before the messages that it has not brought are asked for one by one. */
const SILENCE = { first: 30_000, each: 2_000 };

/**
 * Emits all threads once, the newest first. A consumer runs on any server of a cluster, which may not know a thread that was just made: the
 * leader of the stream says which subjects there are, and of those that are missing the last message is asked for. A consumer of last
 * messages may also lose the one that does not fit into a request for messages, and then never reaches its end (nats-server 2.9.10: more
 * than 2 MB of last messages).
 */
export const listLog = (place: ThreadPlace): Observable<ThreadSummary[]> =>
  place.link.countMessages(place.stream, `${place.subjects}.*`).pipe(
    switchMap((counts) =>
      lastOfEach(place).pipe(
        collectBySubject(),
        switchMap((seen) => withMissing(place, Object.keys(counts), seen)),
      ),
    ),
    mapAtOnce(AT_ONCE, (last) => summaryOf(place, last)),
    reduce<ThreadSummary, ThreadSummary[]>((all, one) => {
      all.push(one); // in place: there may be tens of thousands
      return all;
    }, []),
    map((all) => all.sort((a, b) => b.startedMs - a.startedMs || (a.id < b.id ? 1 : -1))),
  );

const lastOfEach = ({ link, stream, subjects }: ThreadPlace): Observable<NatsStored> =>
  readStream(link)({ stream, subject: `${subjects}.*`, from: 'lastOfEach', backpressure: noBackpressure }).pipe(
    takeWhile(({ kind }) => kind !== 'caughtUp'),
    timeout({ ...SILENCE, with: () => EMPTY }),
    filter((read): read is NatsStored => read.kind === 'message'),
  );

type BySubject = Map<string, NatsStored>;

const collectBySubject = () => reduce<NatsStored, BySubject>((seen, last) => seen.set(last.subject, last), new Map());

const withMissing = (
  { link, stream }: ThreadPlace,
  subjects: readonly string[],
  seen: BySubject,
): Observable<NatsStored> =>
  merge(
    from(seen.values()),
    from(subjects.filter((subject) => !seen.has(subject))).pipe(
      mapAtOnce(AT_ONCE, (subject) => link.lastOf(stream, subject)),
      filter((last) => last !== undefined),
    ),
  );

const summaryOf = (place: ThreadPlace, last: NatsStored): Observable<ThreadSummary> =>
  defer(() => {
    const id = idOf(last.subject);
    return id === undefined ? EMPTY : factsAt(place, id, last).pipe(map((known) => toSummary(place, id, known)));
  });

/** undefined for a subject that no daemon has made. */
const idOf = (subject: string): string | undefined => {
  try {
    return fromToken(lastToken(subject));
  } catch {
    return undefined;
  }
};

/** What a list shows of a thread. */
export const toSummary = (place: ThreadPlace, id: string, { facts, writtenMs }: KnownFacts): ThreadSummary => ({
  ...facts,
  id,
  writtenMs,
  path: pathOf(place, { id, startedMs: facts.startedMs }),
});

/** Named as a rollout is, so that a client which knows threads by their paths finds its id there. */
const pathOf = ({ address }: Pick<ThreadPlace, 'address'>, thread: Pick<ThreadSummary, 'id' | 'startedMs'>): string =>
  `${address}/${toRolloutName(thread).name}`;
