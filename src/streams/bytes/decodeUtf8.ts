/** Decodes bytes as text across the borders of chunks, and removes the byte order mark that Windows editors and shells write. */
import { StringDecoder } from 'node:string_decoder';
import { concat, defer, filter, type MonoTypeOperatorFunction, map, type OperatorFunction } from 'rxjs';

/** Bytes become text: cut characters are joined, invalid bytes become U+FFFD. Emits no empty text. Completes and errors with the source. */
export const decodeUtf8 = (): OperatorFunction<Uint8Array, string> => (chunk$) =>
  defer(() => {
    const decoder = new StringDecoder('utf8');
    return concat(
      chunk$.pipe(map((chunk) => decoder.write(chunk as Buffer))),
      defer(() => [decoder.end()]),
    ).pipe(filter((text) => text !== ''));
  });

/**
 * Removes a byte order mark at the very beginning. Completes and errors with the source.
 *   in   B-a-B-|   (B begins with a byte order mark)
 *   out  b-a-B-|
 */
export const withoutByteOrderMark = (): MonoTypeOperatorFunction<string> => (text$) =>
  text$.pipe(map((text, i) => (i === 0 && text.startsWith('\ufeff') ? text.slice(1) : text)));

/** A text that is decoded chunk by chunk, as it comes. `end` returns all of it. */
export type GrowingText = { add: (chunk: Uint8Array) => void; end: () => string };

/** An empty text. Cut characters are joined, invalid bytes become U+FFFD. */
export const growingText = (): GrowingText => {
  const decoder = new StringDecoder('utf8');
  const parts: string[] = [];
  return {
    add: (chunk) => void parts.push(decoder.write(chunk as Buffer)),
    end: () => [...parts, decoder.end()].join(''),
  };
};
