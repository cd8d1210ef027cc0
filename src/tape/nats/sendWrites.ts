/** Sends the writes of one recorder to the subject of its tape, in order, each acknowledged. */
import { concat, defer, map, type OperatorFunction, tap } from 'rxjs';
import { inBatches } from '../../streams';
import { appendAfter, NatsError, type NatsLink, retryPassing } from '../../transport/nats';
import { tapeSubject, tapesStream } from './tapeSubject';
import { joinWrites, sizeAfter, type TapeWrite, toWriteHeaders } from './tapeWrites';

/** `recorder` is an id that no other has; `lastSeq` is the sequence of the tape's last message, `size` the bytes it has. */
export type SendDeps = {
  link: Pick<NatsLink, 'append' | 'lastOf' | 'prefix' | 'maxPayload'>;
  name: string;
  recorder: string;
  lastSeq: number;
  size: number;
};

const MAX_BATCH_BYTES = 524_288;
/** Room for headers in a message. */
const HEADER_BYTES = 1_024;

/**
 * Emits how many bytes were acknowledged. What comes while one message is on its way is the next, so that a fast recorder sends few. A message in
 * doubt is sent again with its id, without end. Completes after the last; errors with `full` and the like, and with `conflict` when another
 * recorder writes to the tape as well.
 *   in   ab-c----|
 *   link A--#BC       (A: a; #: b and c are in doubt; sent again)
 *   out  --1----2-|
 */
export const sendWrites =
  ({ link, name, recorder, ...end }: SendDeps): OperatorFunction<TapeWrite, number> =>
  (write$) =>
    defer(() => {
      let seq = end.lastSeq; // of the tape's last message, which the next expects
      let { size } = end;
      let sent = 0;
      const append = appendToTape(link);
      const maxBytes = Math.min(MAX_BATCH_BYTES, link.maxPayload - HEADER_BYTES);
      const send = (write: TapeWrite) =>
        defer(() => {
          sent += 1;
          size = sizeAfter(size, write);
          return append({
            ...{ subject: tapeSubject(link, name), data: write.bytes, headers: toWriteHeaders(write, size) },
            ...{ id: `${recorder}-${sent}`, expectSubjectSeq: seq },
          }).pipe(retryPassing());
        }).pipe(
          tap((appended) => {
            seq = appended.seq;
          }),
          map(() => write.bytes.length),
        );
      const batch = { sizeOf: ({ bytes }: TapeWrite) => bytes.length, limit: maxBytes };
      return write$.pipe(inBatches(batch, (writes) => concat(...joinWrites(writes, maxBytes).map(send))));
    });

/** Appends as a recorder: another that writes to the same tape is a `conflict`. */
export const appendToTape = (link: Pick<NatsLink, 'append' | 'lastOf' | 'prefix'>): NatsLink['append'] =>
  appendAfter({ link, stream: tapesStream(link), taken: () => new NatsError('conflict', OTHER_RECORDER) });

/** Why a tape ends that two write to. */
const OTHER_RECORDER = 'another recorder writes to this tape as well, or it was removed: name another tape';
