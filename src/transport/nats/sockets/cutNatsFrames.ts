/** Cuts what a server of NATS sends into whole frames: a control line, with the payload where it announces one. */
import { NatsError } from '../natsError';

/** A control line of a server is shorter, even with its list of servers. */
const MAX_LINE_BYTES = 1_048_576;
/** No server takes messages of more than 64 MB. Source: nats-server 2.9.10, server/const.go. */
const MAX_FRAME_BYTES = 134_217_728;

const LF = 10;
const NONE = Buffer.alloc(0);
/** A payload ends with it. */
const CRLF_BYTES = 2;

/** A frame whose end has not come. */
type Open = { frame: Buffer; filled: number };

/**
 * `room` is the rest of a frame that has begun: the reader of the socket fills it, and reports by `filled` how many bytes it was; undefined between
 * frames, and within a line. `take` cuts the next bytes.
 */
export type NatsFrames = {
  room: () => Buffer | undefined;
  filled: (bytes: number) => void;
  take: (chunk: Buffer) => void;
};

/**
 * Calls `emit` with one or more whole frames, which are a copy; a frame that spans chunks has a buffer of its length. Throws for what no server sends.
 *   in   [MSG a 1 3\r\nab] [c\r\nPING\r\n]
 *   out                    [MSG a 1 3\r\nabc\r\n] [PING\r\n]
 */
export const cutNatsFrames = (emit: (frames: Buffer) => void): NatsFrames => {
  let line: Buffer = NONE; // changes in place with `open`: this is run for each chunk that a socket receives
  let open: Open | undefined;
  const filled = (bytes: number): void => {
    if (open === undefined) return;
    open.filled += bytes;
    if (open.filled < open.frame.length) return;
    const { frame } = open;
    open = undefined;
    emit(frame);
  };
  const room = (): Buffer | undefined => open?.frame.subarray(open.filled);
  const take = (received: Buffer): void => {
    const begin = open === undefined ? 0 : received.copy(open.frame, open.filled);
    filled(begin);
    const chunk = line.length === 0 ? received : Buffer.concat([line, received]);
    const { end, next } = wholeFrames(chunk, begin);
    line = NONE;
    if (end > begin) emit(Buffer.from(chunk.subarray(begin, end)));
    if (next === undefined) line = lineOf(chunk.subarray(end));
    else if (next > chunk.length) {
      const frame = Buffer.allocUnsafeSlow(next - end);
      open = { frame, filled: chunk.copy(frame, 0, end) };
    }
  };
  return { room, filled, take };
};

/** Where the last whole frame of a chunk ends, and the one behind it, where its line is there. */
const wholeFrames = (chunk: Buffer, begin: number): { end: number; next: number | undefined } => {
  let end = begin;
  for (;;) {
    const lineEnd = chunk.indexOf(LF, end);
    if (lineEnd < 0) return { end, next: end === chunk.length ? end : undefined };
    const next = lineEnd + 1 + payloadBytes(chunk, end, lineEnd);
    if (next - end > MAX_FRAME_BYTES) throw broken(`a message of ${next - end} bytes`);
    if (next > chunk.length) return { end, next };
    end = next;
  }
};

const lineOf = (line: Buffer): Buffer => {
  if (line.length > MAX_LINE_BYTES) throw broken(`a line of more than ${MAX_LINE_BYTES} bytes`);
  return Buffer.from(line); // whoever reads the socket may read into the same bytes again
};

const broken = (what: string): NatsError => new NatsError('failed', `the server of NATS sent ${what}`);

const [CR, ZERO, NINE, H, M] = [13, 48, 57, 72, 77];
const LOWER_CASE = 32;

/** The payload that a line announces, with the line end after it; 0 where it announces none. The length is the last number of `MSG` and `HMSG`. */
const payloadBytes = (chunk: Buffer, begin: number, lineEnd: number): number => {
  const verb = (chunk[begin] ?? 0) & ~LOWER_CASE;
  if (verb !== M && verb !== H) return 0;
  let bytes = 0;
  let at = chunk[lineEnd - 1] === CR ? lineEnd - 2 : lineEnd - 1;
  for (let worth = 1; at > begin; at -= 1, worth *= 10) {
    const digit = chunk[at] ?? 0;
    if (digit < ZERO || digit > NINE) break;
    bytes += (digit - ZERO) * worth;
  }
  return bytes + CRLF_BYTES;
};
