/** Reads what the store holds of one thread. */
import { map, type Observable, of, reduce } from 'rxjs';
import { mapMulti } from '../../streams/gather';
import type { NatsStored } from '../link/natsLink';
import { readStored } from '../operators/readStored';
import { isOfThread, readThreadFacts, type ThreadFacts } from './threadFacts';
import type { ThreadPlace } from './threadPlace';

/** A whole thread: its lines, the sequence of its last message, 0 where there is none, and the facts of the last one that a daemon wrote, with its time. */
export type ThreadLog = { text: string; seq: number; known?: KnownFacts };

/** Facts of a thread, and when they were written. */
export type KnownFacts = { facts: ThreadFacts; writtenMs: number };

/** Emits the thread once, up to the message that is its last now, without messages that no daemon wrote. */
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
      ...(own !== undefined && { known: toKnown(own) }),
    })),
  );

/** The facts in the last message of a thread. If no daemon wrote that message, the thread is read for the last one that a daemon wrote. Empty where none is. */
export const factsAt = (place: Parameters<typeof readLog>[0], id: string, last: NatsStored): Observable<KnownFacts> =>
  isOfThread(last.headers)
    ? of(toKnown(last))
    : readLog(place, id).pipe(mapMulti(({ known }, emit: (known: KnownFacts) => void) => known && emit(known)));

const toKnown = ({ headers, atMs }: NatsStored): KnownFacts => ({ facts: readThreadFacts(headers), writtenMs: atMs });
