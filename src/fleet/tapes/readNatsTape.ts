/** Reads a tape from NATS: as a whole, or as it grows. */
import { defer, filter, map, type Observable, throwIfEmpty, toArray } from 'rxjs';
import { NatsError } from '../../io/nats/natsAddress';
import { noBackpressure } from '../../streams/backpressure';
import { mapAccum } from '../../streams/gather';
import { ofKind } from '../../streams/ofKind';
import type { NatsLink } from '../link/natsLink';
import { readStored, readStream } from '../operators/readStream';
import { noTape } from './listNatsTapes';
import { tapeSubject, tapesStream } from './tapeSubject';
import { applyWrites, isWrite, sizeAfter, toWrite } from './tapeWrites';

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

/**
 * Emits the bytes of a tape as they come, beginning with the existing bytes. What a recorder overwrites, such as the names on the first line, is
 * left out. Never completes; errors if some of it is missing.
 */
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
