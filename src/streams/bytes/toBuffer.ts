/** Bytes as a Buffer of Node, for its methods. */

/** The same memory, not a copy: a change of the one is a change of the other. */
export const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
