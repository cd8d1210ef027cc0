/** Small chunks of a body, read many at once. Own code: see responseReader.ts. */

/** What was read: so many bytes, and the data of their chunks in one piece. */
export type SmallChunks = { used: number; body: Buffer };

/** Larger ones are passed on as they are, without a copy. */
const MAX_BYTES = 512;
const MAX_DIGITS = 3;
const CR = 13;
const LF = 10;

/**
 * Reads whole chunks as most servers write them, up to one that is large, the last, incomplete, or written otherwise, which readStep reads. Undefined
 * where that is the first. A server may send each byte as a chunk, of which 64 KiB hold eleven thousand: step by step these take some 50 ms.
 *   '1\r\na\r\n2\r\nbc\r\n0\r\n\r\n'   { used: 13, body: 'abc' }
 */
export const readSmallChunks = (bytes: Buffer): SmallChunks | undefined => {
  let body: Buffer | undefined;
  let used = 0;
  let length = 0;
  for (;;) {
    const digits = countDigits(bytes, used);
    const size = sizeOf(bytes, used, used + digits);
    const from = used + digits + 2;
    const to = from + size;
    if (size === 0 || size > MAX_BYTES || !isLineEnd(bytes, from - 2) || !isLineEnd(bytes, to)) break;
    body ??= Buffer.allocUnsafe(bytes.length);
    for (let at = from; at < to; at += 1) body[length++] = bytes[at] as number;
    used = to + 2;
  }
  return body && { used, body: body.subarray(0, length) };
};

/** How many digits stand there; more than a small chunk has are not counted. */
const countDigits = (bytes: Buffer, start: number): number => {
  let count = 0;
  while (count < MAX_DIGITS && digitOf(bytes[start + count]) >= 0) count += 1;
  return count;
};

const sizeOf = (bytes: Buffer, start: number, end: number): number => {
  let size = 0;
  for (let at = start; at < end; at += 1) size = size * 16 + digitOf(bytes[at]);
  return size;
};

const isLineEnd = (bytes: Buffer, at: number): boolean => bytes[at] === CR && bytes[at + 1] === LF;

const ZERO = 48;
const NINE = 57;
const A = 97;
const F = 102;
const LOWER_CASE = 32;

/** The value of a hexadecimal digit; -1 for what is none. */
const digitOf = (code = 0): number => {
  if (code >= ZERO && code <= NINE) return code - ZERO;
  const letter = code | LOWER_CASE;
  return letter >= A && letter <= F ? letter - A + 10 : -1;
};
