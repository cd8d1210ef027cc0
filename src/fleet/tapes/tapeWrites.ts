/** A tape as a log of writes: what a recorder does to a file, so that the tape is the same to the byte. */
import { cutBytes } from '../../streams/bytes/toBuffer';
import type { NatsHeaders } from '../link/natsLink';

/** Bytes that were written at a place of the tape. */
export type TapeWrite = { at: number; bytes: Uint8Array };

const AT = 'Codex-Rx-At';
const SIZE = 'Codex-Rx-Size';

/** The headers of the message with a write; `size` is that of the tape after it. */
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

/**
 * The size of a tape by its last message, in bytes, and whether its last line was cut off. After an empty write, or one
 * before the end, the last line counts as whole.
 */
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

/** Some bytes of a tape are not there any more. */
export class MissingBytes extends Error {
  override name = 'MissingBytes';
  constructor(from: number, to: number) {
    super(`bytes ${from} to ${to} are missing: ${EVICTED}`);
  }
}

/** The size of a tape after a write. Throws where what comes before it is missing. */
export const sizeAfter = (size: number, { at, bytes }: TapeWrite): number => {
  if (at > size) throw new MissingBytes(size, at - 1);
  return Math.max(size, at + bytes.length);
};

/** The bytes of a tape that writes make. Throws where some are missing. */
export const applyWrites = (writes: readonly TapeWrite[]): Uint8Array => {
  const bytes = new Uint8Array(writes.reduce(sizeAfter, 0));
  for (const write of writes) bytes.set(write.bytes, write.at);
  return bytes;
};
