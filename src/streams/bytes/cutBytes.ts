/** Bytes that are too many for one message, in pieces. */

/** The pieces in their order, each of at most `maxBytes`; one at least, which is empty where there are no bytes. They share the memory of `bytes`. */
export const cutBytes = (bytes: Uint8Array, maxBytes: number): Uint8Array[] =>
  bytes.length <= maxBytes
    ? [bytes]
    : Array.from({ length: Math.ceil(bytes.length / maxBytes) }, (_, at) =>
        bytes.subarray(at * maxBytes, (at + 1) * maxBytes),
      );
