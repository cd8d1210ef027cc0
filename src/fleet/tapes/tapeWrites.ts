/** A tape on NATS: where it is, and its log of writes, so that it is the same to the byte. Writes are sent in order, each acknowledged. */
import { defer, from, map, type Observable, type OperatorFunction, tap } from 'rxjs';
import { NatsError } from '../../io/nats/natsAddress';
import { scanInBatches } from '../../streams/batches';
import { cutBytes } from '../../streams/bytes/toBuffer';
import { scanInTurn } from '../../streams/scanInTurn';
import type { NatsHeaders, NatsLink } from '../link/natsLink';
import { fromToken, toToken } from '../link/tokens';
import { appendAfter } from '../operators/appendAfter';
import { retryPassing } from '../operators/retryPassing';

type Prefixed = Pick<NatsLink, 'prefix'>;

/** The stream that holds all tapes. */
export const tapesStream = ({ prefix }: Prefixed): string => `${prefix}-tapes`;

/** The subjects of all tapes. */
export const tapesSubject = ({ prefix }: Prefixed): string => `${prefix}.tapes.*`;

/** The subject of a tape. Throws a `NatsError` for a tape without a name. */
export const tapeSubject = ({ prefix }: Prefixed, name: string): string => {
  if (name === '') throw new NatsError('address', 'name the tape behind the server: nats://HOST/NAME');
  return `${prefix}.tapes.${toToken(name)}`;
};

/** The name of the tape with this subject; for a subject that no recorder has made, its last token as it is. */
export const tapeName = ({ prefix }: Prefixed, subject: string): string => {
  const token = subject.slice(`${prefix}.tapes.`.length);
  try {
    return fromToken(token);
  } catch {
    return token;
  }
};

/** Bytes that were written at a place of the tape. */
export type TapeWrite = { at: number; bytes: Uint8Array };

const AT = 'Codex-Rx-At';
const SIZE = 'Codex-Rx-Size';

/** The headers of the message with a write; `size` is the size of the tape after it. */
export const toWriteHeaders = ({ at }: TapeWrite, size: number): NatsHeaders => ({
  [AT]: String(at),
  [SIZE]: String(size),
});

type Message = { headers: NatsHeaders; data: Uint8Array };

/** False for a message that no recorder wrote: anyone who may call JetStream can name a tape's subject for the response. */
export const isWrite = ({ headers }: { headers: NatsHeaders }): boolean =>
  PLACE.test(headers[AT] ?? '') && PLACE.test(headers[SIZE] ?? '0');

/** All numbers of up to 15 digits are exact. */
const PLACE = /^\d{1,15}$/;

/** The write that a message holds. */
export const toWrite = ({ headers, data }: Message): TapeWrite => ({
  at: Number(headers[AT] ?? 0),
  bytes: data,
});

const NEWLINE = 10;

/** The size of a tape by its last message, in bytes, and whether its last line was cut off; after an empty write it counts as whole. */
export const endOfTape = (last: Message | undefined): { size: number; isCutOff: boolean } => {
  if (last === undefined) return { size: 0, isCutOff: false };
  const { at, bytes } = toWrite(last);
  const size = Number(last.headers[SIZE] ?? at + bytes.length);
  return { size, isCutOff: bytes.length > 0 && at + bytes.length === size && bytes.at(-1) !== NEWLINE };
};

/** Joins writes that follow each other, and cuts them so that none is longer than `maxBytes`. Their order stays. */
export const joinWrites = (writes: readonly TapeWrite[], maxBytes: number): TapeWrite[] => {
  const runs: TapeWrite[][] = [];
  for (const write of writes) {
    const last = runs.at(-1)?.at(-1);
    if (last !== undefined && last.at + last.bytes.length === write.at) runs.at(-1)?.push(write);
    else runs.push([write]);
  }
  return runs.flatMap((run) => cutWrite(toOne(run), maxBytes));
};

const toOne = (run: readonly TapeWrite[]): TapeWrite => ({
  at: run[0]?.at ?? 0,
  bytes: run.length === 1 ? (run[0]?.bytes ?? new Uint8Array()) : Buffer.concat(run.map(({ bytes }) => bytes)),
});

const cutWrite = ({ at, bytes }: TapeWrite, maxBytes: number): TapeWrite[] =>
  bytes.length === 0 ? [] : cutBytes(bytes, maxBytes).map((piece, i) => ({ at: at + i * maxBytes, bytes: piece }));

const EVICTED =
  'the server has removed them to keep the limits of its stream, or somebody purged it. Record the session again; a stream with --discard new and without --max-age removes nothing by itself';

class MissingBytes extends Error {
  override name = 'MissingBytes';
  constructor(from: number, to: number) {
    super(`bytes ${from} to ${to} are missing: ${EVICTED}`);
  }
}

/** The size of a tape after a write. Throws if what comes before it is missing. */
export const sizeAfter = (size: number, { at, bytes }: TapeWrite): number => {
  if (at > size) throw new MissingBytes(size, at - 1);
  return Math.max(size, at + bytes.length);
};

/** The bytes of a tape that writes make. Throws if some are missing. */
export const applyWrites = (writes: readonly TapeWrite[]): Uint8Array => {
  const bytes = new Uint8Array(writes.reduce(sizeAfter, 0));
  for (const write of writes) bytes.set(write.bytes, write.at);
  return bytes;
};

type SendDeps = {
  link: Pick<NatsLink, 'append' | 'lastOf' | 'prefix' | 'maxPayload'>;
  name: string;
  /** An id that no other recorder has. */
  recorder: string;
  /** Sequence of the last message of the tape. */
  lastSeq: number;
  /** Bytes of the tape. */
  size: number;
  /** Gets why a message is sent again. */
  inDoubt?: (error: unknown) => void;
};

const MAX_BATCH_BYTES = 524_288;
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

type TapeEnd = {
  /** Sequence of the last message, which the next message expects. */
  seq: number;
  size: number;
  /** How many messages this recorder has sent. */
  sent: number;
  /** Bytes of the last of them. */
  acknowledged: number;
};

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

const OTHER_RECORDER = 'another recorder writes to this tape as well, or the tape was removed: name another tape';
