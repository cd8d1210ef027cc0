/** Sends the writes of one recorder to the subject of its tape, in order, each acknowledged. */
import { defer, from, map, type Observable, type OperatorFunction, tap } from 'rxjs';
import { NatsError } from '../../io/nats/natsAddress';
import { scanInBatches } from '../../streams/batches';
import { scanInTurn } from '../../streams/scanInTurn';
import type { NatsLink } from '../link/natsLink';
import { appendAfter } from '../operators/appendAfter';
import { retryPassing } from '../operators/retryPassing';
import { tapeSubject, tapesStream } from './tapeSubject';
import { joinWrites, sizeAfter, type TapeWrite, toWriteHeaders } from './tapeWrites';

/**
 * `recorder` is an id that no other has; `lastSeq` is the sequence of the tape's last message, `size` the bytes it has. `inDoubt` gets why a message is sent
 * again.
 */
export type SendDeps = {
  link: Pick<NatsLink, 'append' | 'lastOf' | 'prefix' | 'maxPayload'>;
  name: string;
  recorder: string;
  lastSeq: number;
  size: number;
  inDoubt?: (error: unknown) => void;
};

const MAX_BATCH_BYTES = 524_288;
/** Room for headers in a message. */
const HEADER_BYTES = 1_024;

/**
 * Emits how many bytes were acknowledged. Writes that come while a message is on its way form the next one, so that a fast recorder sends few. A
 * message in doubt is sent again with its id until it is acknowledged. Completes after the last; errors with `full` and the like, and with
 * `conflict` when another recorder writes to the tape as well.
 *   in   abc-|
 *   link A--B-# 99ms  B       (A sends a, B sends b and c; # B is in doubt, and sent again)
 *   out  ---1-- 100ms (2|)
 */
export const sendWrites = (deps: SendDeps): OperatorFunction<TapeWrite, number> => {
  const maxBytes = () => Math.min(MAX_BATCH_BYTES, deps.link.maxPayload - HEADER_BYTES); // a server that is restarted may take less
  const send = sendWrite(deps);
  const sendAll = (end: TapeEnd, writes: readonly TapeWrite[]) =>
    from(joinWrites(writes, maxBytes())).pipe(scanInTurn(send, end));
  const batch = { sizeOf: ({ bytes }: TapeWrite) => bytes.length, limit: maxBytes() };
  return (write$) =>
    write$.pipe(
      scanInBatches(batch, sendAll, { seq: deps.lastSeq, size: deps.size, sent: 0, acknowledged: 0 }),
      map(({ acknowledged }) => acknowledged),
    );
};

/**
 * How far the tape has come on the server: the sequence of its last message, which the next expects, and its size in bytes; how many messages this
 * recorder has sent, and the bytes of the last of them.
 */
type TapeEnd = { seq: number; size: number; sent: number; acknowledged: number };

/** One message, until it is acknowledged. */
const sendWrite = ({ link, name, recorder, inDoubt = () => {} }: SendDeps) => {
  const append = appendToTape(link);
  return (end: TapeEnd, write: TapeWrite): Observable<TapeEnd> =>
    defer(() => {
      const size = sizeAfter(end.size, write);
      const sent = end.sent + 1;
      return append({
        subject: tapeSubject(link, name),
        data: write.bytes,
        headers: toWriteHeaders(write, size),
        id: `${recorder}-${sent}`,
        expectSubjectSeq: end.seq,
      }).pipe(
        tap({ error: inDoubt }),
        retryPassing(),
        map(({ seq }) => ({ seq, size, sent, acknowledged: write.bytes.length })),
      );
    });
};

/** Appends as a recorder: another that writes to the same tape is a `conflict`. */
export const appendToTape = (link: Pick<NatsLink, 'append' | 'lastOf' | 'prefix'>): NatsLink['append'] =>
  appendAfter({ link, stream: tapesStream(link), taken: () => new NatsError('conflict', OTHER_RECORDER) });

/** Why a tape ends that two recorders write to. */
const OTHER_RECORDER = 'another recorder writes to this tape as well, or the tape was removed: name another tape';
