/** Reads what the store holds of threads. */
import { filter, map, type Observable, reduce, takeWhile, toArray } from 'rxjs';
import { type ThreadSummary, toRolloutName } from '../rollout';
import { noBackpressure } from '../streams';
import { type NatsStored, readStored, readStream } from '../transport/nats';
import { isOfThread, readThreadFacts, type ThreadFacts } from './threadFacts';
import type { ThreadPlace } from './threadPlace';

/** A whole thread: its lines, and the sequence, the time and the facts of its last message; `seq` 0 where there is none. */
export type ThreadLog = { text: string; seq: number; writtenMs: number; facts: ThreadFacts };

/** Emits the thread once, up to the message that is its last now, without messages of whoever is no daemon. */
export const readLog = (
  { link, stream, subjectOf }: Pick<ThreadPlace, 'link' | 'stream' | 'subjectOf'>,
  id: string,
): Observable<ThreadLog> =>
  readStored(link)(stream, subjectOf(id)).pipe(
    reduce<NatsStored, { chunks: Uint8Array[]; own?: NatsStored; last?: NatsStored }>(
      ({ chunks, own }, last) => {
        if (!isOfThread(last.headers)) return { chunks, own, last };
        chunks.push(last.data); // in place: a thread may have tens of thousands
        return { chunks, own: last, last };
      },
      { chunks: [] },
    ),
    map(({ chunks, own, last }) => ({
      text: Buffer.concat(chunks).toString('utf8'),
      seq: last?.seq ?? 0,
      writtenMs: last?.atMs ?? 0,
      facts: readThreadFacts(own?.headers ?? {}),
    })),
  );

/** Emits all threads once, the newest first, as the server that it reads from knows them: in a cluster a moment ago. */
export const listLog = (place: ThreadPlace): Observable<ThreadSummary[]> =>
  lastOfEach(place).pipe(
    map(({ subject, headers, atMs }) =>
      toSummary(place, subject.slice(place.subjects.length + 1), { facts: readThreadFacts(headers), writtenMs: atMs }),
    ),
    toArray(),
    map((all) => all.sort((a, b) => b.startedMs - a.startedMs || (a.id < b.id ? 1 : -1))),
  );

const lastOfEach = ({ link, stream, subjects }: ThreadPlace): Observable<NatsStored> =>
  readStream(link)({ stream, subject: `${subjects}.*`, from: 'lastOfEach', backpressure: noBackpressure }).pipe(
    takeWhile(({ kind }) => kind !== 'caughtUp'),
    filter((read): read is NatsStored => read.kind === 'message'),
  );

/** What a list shows of a thread. */
export const toSummary = (
  place: ThreadPlace,
  id: string,
  { facts, writtenMs }: Pick<ThreadLog, 'facts' | 'writtenMs'>,
): ThreadSummary => ({
  ...facts,
  ...{ id, writtenMs, path: pathOf(place, { id, startedMs: facts.startedMs }) },
});

/** Named as a rollout is, so that a client which knows threads by their paths finds its id there. */
export const pathOf = (
  { address }: Pick<ThreadPlace, 'address'>,
  thread: Pick<ThreadSummary, 'id' | 'startedMs'>,
): string => `${address}/${toRolloutName(thread).name}`;
