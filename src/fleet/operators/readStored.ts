/** Reading what a stream holds of one subject. */
import { defer, EMPTY, type Observable, switchMap, takeWhile, throwError, timeout } from 'rxjs';
import { NatsError } from '../../io/nats/natsAddress';
import { noBackpressure } from '../../streams/backpressure';
import { ofKind } from '../../streams/ofKind';
import type { NatsLink, NatsStored } from '../link/natsLink';
import { readStream } from './readStream';

/** How long the next message may take; its server may have to come back first. */
const SILENCE_MS = 30_000;

/**
 * Emits the messages of a subject up to the one that is the last now, in order, and completes. The last one is asked of the leader of the stream: a
 * consumer runs on any server of a cluster, and one that was away does not know at first what it has missed. Errors as `readStream`, and with
 * `timeout` where the next message does not come, as when it was removed meanwhile.
 *   last     --3
 *   stream     1-2--3-4
 *   out      --1-2--(3|)
 */
export const readStored =
  (link: Pick<NatsLink, 'consume' | 'lastOf'>) =>
  (stream: string, subject: string): Observable<NatsStored> =>
    defer(() => link.lastOf(stream, subject)).pipe(
      switchMap((last) => {
        if (last === undefined) return EMPTY;
        return readStream(link)({ stream, subject, from: 1, backpressure: noBackpressure }).pipe(
          ofKind('message'),
          takeWhile(({ seq }) => seq < last.seq, true),
          timeout({ each: SILENCE_MS, with: () => throwError(() => late(stream, last)) }),
        );
      }),
    );

const late = (stream: string, { seq }: NatsStored): NatsError =>
  new NatsError('timeout', `reading ${stream}: message ${seq} did not come; it was removed, or its server is away`);
