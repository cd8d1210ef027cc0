/** Bytes as a Node Buffer, for its methods. */

/** The same memory, not a copy: a change to one changes the other. */
export const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
