/** Cuts bytes into messages. They are lines, or have headers that state their length; the first bytes show which. */
import { concat, concatMap, connect, defer, mergeMap, type OperatorFunction, startWith, take } from 'rxjs';
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

/** How messages are framed; `contentLength` is what language servers and debug adapters use. */
export type Framing = 'lines' | 'contentLength';

const BEGINNING = 'content-';

/**
 * Reads a stream by the operator for its framing. Source: Language Server Protocol 3.17, Base Protocol.
 *   in   -C--o--|    (C 'Conten', o 't-Length: …')
 *   out  ----m--|    (m of the operator for contentLength)
 */
export const byFraming =
  <T>(read: Readonly<Record<Framing, OperatorFunction<Uint8Array, T>>>): OperatorFunction<Uint8Array, T> =>
  (chunk$) =>
    chunk$.pipe(
      joinFirst(),
      connect((shared$) =>
        shared$.pipe(
          take(1),
          mergeMap((first) => shared$.pipe(startWith(first), read[framingOf(first)])),
        ),
      ),
    );

const textOf = (bytes: Uint8Array): string =>
  toBuffer(bytes.subarray(0, BEGINNING.length)).toString('latin1').toLowerCase();

const framingOf = (first: Uint8Array): Framing => (textOf(first) === BEGINNING ? 'contentLength' : 'lines');

/** Joins the first chunks until they show the framing. */
const joinFirst = (): OperatorFunction<Uint8Array, Uint8Array> => (chunk$) =>
  defer(() => {
    let first: Uint8Array | undefined = new Uint8Array();
    const pass = (chunk: Uint8Array): Uint8Array[] => {
      if (first === undefined) return [chunk];
      const joined: Uint8Array = first.length === 0 ? chunk : Buffer.concat([first, chunk]);
      const text = textOf(joined);
      first = text.length < BEGINNING.length && BEGINNING.startsWith(text) ? joined : undefined;
      return first === undefined ? [joined] : [];
    };
    return concat(
      chunk$.pipe(concatMap(pass)),
      defer(() => (first === undefined || first.length === 0 ? [] : [first])),
    );
  });

/** A message with its headers, which end with a blank line; without headers it is a line between messages, including its line end. */
export type Frame = { head: string; body: Uint8Array };

const HEAD = /^(?:content-(?:length|type):[^\r\n]*\r\n)+\r\n/i;
const LENGTH = /^content-length: *(\d+) *\r$/im;
const MAX_HEAD_BYTES = 4_096;
const LF = 10;

/**
 * Emits each message once it is whole. Whatever stands between messages is cut into lines. A message cut off by the end is emitted too.
 * Completes and errors with the source.
 *   in  -a--b--|    (bytes: a 'Content-Length: 2\r\n\r\n{', b '}')
 *   out ----m--|    (m the message '{}' with its head)
 * Source: Language Server Protocol 3.17, Base Protocol.
 */
export const cutFrames = (): OperatorFunction<Uint8Array, Frame> => (chunk$) =>
  defer(() => {
    let chunks: Uint8Array[] = [];
    let length = 0; // of all chunks
    let needed: Needed = 0; // before there is more to cut
    const cut = (chunk: Uint8Array): Frame[] => {
      chunks.push(chunk);
      length += chunk.length;
      if (needed === 'lineEnd' ? !chunk.includes(LF) : length < needed) return [];
      const { frames, rest, wants } = framesIn(Buffer.concat(chunks));
      chunks = [rest];
      length = rest.length;
      needed = wants;
      return frames;
    };
    return concat(
      chunk$.pipe(concatMap(cut)),
      defer(() => (length === 0 ? [] : [toPart(Buffer.concat(chunks))])),
    );
  });

/** How many bytes are needed, or that a line must end: a long line is not searched again with each chunk. */
type Needed = number | 'lineEnd';

type Cut = { frames: Frame[]; rest: Buffer; wants: Needed };

/** The whole frames; `wants` is what the rest still needs to become one. */
const framesIn = (bytes: Buffer): Cut => {
  const frames: Frame[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const next = nextIn(rest);
    if (typeof next !== 'object') return { frames, rest, wants: next };
    frames.push(next);
    rest = rest.subarray(next.head.length + next.body.length);
  }
  return { frames, rest, wants: 0 };
};

const nextIn = (bytes: Buffer): Frame | Needed => {
  const text = bytes.toString('latin1', 0, MAX_HEAD_BYTES);
  const [head = ''] = HEAD.exec(text) ?? [];
  const [, size] = LENGTH.exec(head) ?? [];
  if (size !== undefined) {
    const end = head.length + Number(size);
    return bytes.length < end ? end : { head, body: bytes.subarray(head.length, end) };
  }
  const mayBeHead = text.length < MAX_HEAD_BYTES && head === '' && isPartOfHead(text);
  if (mayBeHead) return bytes.length + 1;
  const lineEnd = bytes.indexOf(LF);
  return lineEnd === -1 ? 'lineEnd' : { head: '', body: bytes.subarray(0, lineEnd + 1) };
};

/** Whether a text may be the beginning of headers: whole headers, then a part of one. */
const isPartOfHead = (text: string): boolean => {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const isHeader = (line: string) => /^content-(?:length|type):[^\r]*\r$/i.test(line);
  return lines.every(isHeader) && ['content-length:', 'content-type:'].some((name) => sharesBeginning(name, last));
};

const sharesBeginning = (name: string, text: string): boolean => {
  const size = Math.min(name.length, text.length);
  return text === '\r' || name.slice(0, size) === text.slice(0, size).toLowerCase();
};

const toPart = (bytes: Buffer): Frame => {
  const [head = ''] = HEAD.exec(bytes.toString('latin1', 0, MAX_HEAD_BYTES)) ?? [];
  return { head, body: bytes.subarray(head.length) };
};
