/** Decodes bytes as text across the borders of chunks. */
import { StringDecoder } from 'node:string_decoder';
import { concat, defer, filter, map, type OperatorFunction } from 'rxjs';

/**
 * Bytes become text; a character that chunks cut in two is joined, invalid bytes become U+FFFD.
 * Emits text per chunk, never an empty one. Completes and errors with the source.
 */
export const decodeUtf8 = (): OperatorFunction<Uint8Array, string> => (chunk$) =>
  defer(() => {
    const decoder = new StringDecoder('utf8');
    return concat(
      chunk$.pipe(map((chunk) => decoder.write(chunk as Buffer))),
      defer(() => [decoder.end()]),
    ).pipe(filter((text) => text !== ''));
  });
