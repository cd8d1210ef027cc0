/** Keeps the beginning and the end of the output of a command, however long it is. */

/** Bytes kept from the start and from the end; `lost` bytes lie between them. */
export type Captured = { head: Uint8Array[]; tail: Uint8Array[]; headBytes: number; tailBytes: number; lost: number };

/** Small chunks are joined up to this size, so that a program that writes byte by byte does not cost one piece per byte. */
const JOINED_BYTES = 2_048;

const append = (pieces: Uint8Array[], chunk: Uint8Array): void => {
  const last = pieces.at(-1);
  if (last === undefined || last.length + chunk.length > JOINED_BYTES) pieces.push(chunk);
  else pieces[pieces.length - 1] = Buffer.concat([last, chunk]);
};

/** The output of a command that has written nothing. */
export const nothingCaptured = (): Captured => ({ head: [], tail: [], headBytes: 0, tailBytes: 0, lost: 0 });

/**
 * Adds a chunk, in place: the first half of `maxBytes` stays for good, and of the rest the newest half.
 * Only whole pieces are dropped, so up to one piece more than that half is kept.
 */
export const capture = (kept: Captured, chunk: Uint8Array, maxBytes: number): Captured => {
  const half = maxBytes / 2;
  if (kept.headBytes < half) {
    append(kept.head, chunk);
    kept.headBytes += chunk.length;
    return kept;
  }
  append(kept.tail, chunk);
  kept.tailBytes += chunk.length;
  for (let first = kept.tail[0]; first && kept.tailBytes - first.length >= half; first = kept.tail[0]) {
    kept.tail.shift();
    kept.tailBytes -= first.length;
    kept.lost += first.length;
  }
  return kept;
};

/** The output as text; a mark stands where bytes were lost, invalid UTF-8 becomes U+FFFD. */
export const toText = ({ head, tail, lost }: Captured): string => {
  if (lost === 0) return Buffer.concat([...head, ...tail]).toString('utf8');
  const mark = `\n[... ${lost} bytes of output left out ...]\n`;
  return Buffer.concat(head).toString('utf8') + mark + Buffer.concat(tail).toString('utf8');
};
