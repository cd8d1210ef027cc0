/** The tapes on a NATS server: listed, removed, and read as a whole or as they grow. */
import {
  catchError,
  defer,
  filter,
  from,
  map,
  type Observable,
  of,
  switchMap,
  throwError,
  throwIfEmpty,
  toArray,
} from 'rxjs';
import { isNatsFailure, NatsError } from '../../io/nats/natsAddress';
import { noBackpressure } from '../../streams/backpressure';
import { mapAccum } from '../../streams/gather';
import { ofKind } from '../../streams/ofKind';
import { mapAtOnce } from '../../streams/scanInTurn';
import type { NatsLink } from '../link/natsLink';
import { readStored, readStream } from '../operators/readStream';
import {
  applyWrites,
  endOfTape,
  isWrite,
  sizeAfter,
  tapeName,
  tapeSubject,
  tapesStream,
  tapesSubject,
  toWrite,
} from './tapeWrites';

type Link = Pick<NatsLink, 'prefix' | 'consume'>;

const readsOf = (link: Link, name: string) =>
  readStream(link)({
    stream: tapesStream(link),
    subject: tapeSubject(link, name),
    from: 1,
    backpressure: noBackpressure,
  });

/** Emits the tape as it is now, the same bytes that a file would hold, and completes. Errors if there is none, or some of it is missing. */
export const readNatsTape = (link: Link & Pick<NatsLink, 'lastOf'>, name: string): Observable<Uint8Array> =>
  defer(() => readStored(link)(tapesStream(link), tapeSubject(link, name))).pipe(
    filter((stored) => isWrite(stored)),
    map(toWrite),
    throwIfEmpty(() => new NatsError('absent', noTape(name))),
    toArray(),
    map(applyWrites),
  );

/** Emits the bytes of a tape as they come, without what is overwritten. Never completes; errors if some of it is missing. */
export const followNatsTape = (link: Link, name: string): Observable<Uint8Array> =>
  defer(() => readsOf(link, name)).pipe(
    ofKind('message'),
    filter((stored) => isWrite(stored)),
    mapAccum((size: number, message) => {
      const write = toWrite(message);
      const state = sizeAfter(size, write);
      return { state, output: state === size ? undefined : write.bytes.subarray(write.bytes.length - (state - size)) };
    }, 0),
  );

/** One tape: its size in bytes, and when it was last written to. */
export type TapeOnNats = { name: string; bytes: number; atMs: number };

type ListLink = Pick<NatsLink, 'prefix' | 'countMessages' | 'lastOf' | 'purge'>;

const AT_ONCE = 16;

/** Emits all tapes, by name; none if no tape was ever recorded there. */
export const listNatsTapes = (link: ListLink): Observable<TapeOnNats[]> =>
  link.countMessages(tapesStream(link), tapesSubject(link)).pipe(
    catchError((error) => (isNatsFailure(error, 'absent') ? of({}) : throwError(() => error))),
    switchMap((counts) => from(Object.keys(counts))),
    mapAtOnce(AT_ONCE, (subject) => describe(link, subject)),
    toArray(),
    map((tapes) => tapes.toSorted((a, b) => (a.name < b.name ? -1 : 1))),
  );

const describe = (link: ListLink, subject: string): Observable<TapeOnNats> =>
  link
    .lastOf(tapesStream(link), subject)
    .pipe(map((last) => ({ name: tapeName(link, subject), bytes: endOfTape(last).size, atMs: last?.atMs ?? 0 })));

/** Removes a tape for good. Errors if there is none. */
export const removeNatsTape = (link: ListLink, name: string): Observable<void> =>
  link.purge({ stream: tapesStream(link), subject: tapeSubject(link, name) }).pipe(
    map((removed) => {
      if (removed === 0) throw new NatsError('absent', noTape(name));
    }),
  );

const noTape = (name: string): string => `there is no tape ${name}; codex-rx tapes ls lists the tapes`;
