/** Collects bytes that are written together. Own code: `Buffer.concat` takes new memory for each batch, which costs more than copying. */

/** `add` copies the bytes; `take` gives all that were added since it was last called, as they are until the next `add`. */
export type ByteBatch = { add: (bytes: Uint8Array) => void; size: () => number; take: () => Uint8Array };

/** What a batch keeps from one to the next: most of a recorder's work is copying, and new memory costs more than that. */
const KEPT_BYTES = 524_288;

/** Makes an empty batch. It takes memory with the first bytes. */
export const byteBatch = (): ByteBatch => {
  let bytes: Buffer = Buffer.alloc(0);
  let size = 0;
  const grow = (least: number): void => {
    const larger = Buffer.allocUnsafeSlow(Math.max(KEPT_BYTES, 2 * bytes.length, least));
    larger.set(bytes.subarray(0, size));
    bytes = larger;
  };
  return {
    add: (more) => {
      if (bytes.length > KEPT_BYTES && size === 0) bytes = Buffer.alloc(0);
      if (size + more.length > bytes.length) grow(size + more.length);
      bytes.set(more, size);
      size += more.length;
    },
    size: () => size,
    take: () => {
      const taken = bytes.subarray(0, size);
      size = 0;
      return taken;
    },
  };
};
