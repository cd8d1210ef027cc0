/** Bytes: as a Node Buffer, and in pieces. */

/** Bytes as a Node Buffer, for its methods. The memory is the same, not a copy: a change to one changes the other. */
export const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The pieces in order, each of at most `maxBytes`, or one if that is not known (0 or less); empty if there are no bytes. They share the memory of `bytes`. */
export const cutBytes = (bytes: Uint8Array, maxBytes: number): Uint8Array[] =>
  bytes.length <= maxBytes || maxBytes <= 0
    ? [bytes]
    : Array.from({ length: Math.ceil(bytes.length / maxBytes) }, (_, at) =>
        bytes.subarray(at * maxBytes, (at + 1) * maxBytes),
      );
