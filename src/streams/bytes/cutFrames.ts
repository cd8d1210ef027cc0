/** Cuts bytes into messages whose headers state their length, as language servers and debug adapters send them. */
import { concat, concatMap, defer, type OperatorFunction } from 'rxjs';

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

/** The first frame of the bytes, or what it still needs. */
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

/** Whether a text may be the beginning of headers: whole ones, then one that is cut off. */
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

/** The frame that the end has cut off. */
const toPart = (bytes: Buffer): Frame => {
  const [head = ''] = HEAD.exec(bytes.toString('latin1', 0, MAX_HEAD_BYTES)) ?? [];
  return { head, body: bytes.subarray(head.length) };
};
