/** Cuts bytes into messages, whichever way they are framed. */
import { concatMap, type OperatorFunction } from 'rxjs';
import { byFraming, type Framing } from './byFraming';
import { cutFrames, type Frame } from './cutFrames';
import { decodeUtf8 } from './decodeUtf8';
import { splitLines } from './splitLines';
import { toBuffer } from './toBuffer';

/** Emits the text of each message: a line, or the body after headers that state its length. Completes and errors with the source. */
export const splitMessages = (): OperatorFunction<Uint8Array, string> =>
  byFraming<string>({
    lines: (chunk$) => chunk$.pipe(decodeUtf8(), splitLines()),
    contentLength: (chunk$) => chunk$.pipe(cutFrames(), concatMap(toText)),
  });

const toText = ({ body }: Frame): string[] => {
  const text = toBuffer(body).toString('utf8').trim();
  return text === '' ? [] : [text];
};

/** A message as a line to write. With a length header, the line end that is written after it belongs to the body, as JSON allows. */
export const toFramed =
  (framing: Framing) =>
  (line: string): string =>
    framing === 'lines' ? line : `Content-Length: ${Buffer.byteLength(line) + 1}\r\n\r\n${line}`;
