/** Text and bytes of files. A byte order mark is part of the text. */

export const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The text of a file; undefined if the bytes are not UTF-8. */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // the only possible error: bytes that are not UTF-8
  }
};

/** The text of a file for people; bytes that are not UTF-8 become U+FFFD, and a missing file counts as empty. */
export const showText = (bytes: Uint8Array = new Uint8Array()): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
