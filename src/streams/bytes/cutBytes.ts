/** Cuts bytes that are too many for one message into pieces. */

/** The pieces in order, each of at most `maxBytes`; at least one, which is empty where there are no bytes. They share the memory of `bytes`. */
export const cutBytes = (bytes: Uint8Array, maxBytes: number): Uint8Array[] =>
  bytes.length <= maxBytes
    ? [bytes]
    : Array.from({ length: Math.ceil(bytes.length / maxBytes) }, (_, at) =>
        bytes.subarray(at * maxBytes, (at + 1) * maxBytes),
      );
