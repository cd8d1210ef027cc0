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
 * Decodes the bytes of a file as its byte order mark says, and removes the mark: UTF-16, little-endian, as `>` of Windows PowerShell writes it, or else UTF-8.
 * Completes and errors with the source.
 */
export const decodeMarked = (): OperatorFunction<Uint8Array, string> => (chunk$) =>
  defer(() => {
    let head: Uint8Array = new Uint8Array(0);
    let decoder: StringDecoder | undefined;
    const write = (chunk: Uint8Array, isLast: boolean): string => {
      if (decoder !== undefined) return decoder.write(chunk as Buffer);
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      if (head.length < 2 && !isLast) return '';
      decoder = new StringDecoder(head[0] === 0xff && head[1] === 0xfe ? 'utf16le' : 'utf8');
      return decoder.write(head as Buffer);
    };
    return concat(
      chunk$.pipe(map((chunk) => write(chunk, false))),
      defer(() => [write(new Uint8Array(0), true) + (decoder?.end() ?? '')]),
    ).pipe(
      filter((text) => text !== ''),
      withoutByteOrderMark(),
      filter((text) => text !== ''),
    );
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
