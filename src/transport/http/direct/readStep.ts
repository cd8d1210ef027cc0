/** The steps in which a response is read. Own code: see responseReader.ts. */
import { type BodyPhase, framingOf, type ResponseHead, toHead } from './responseHead';

/**
 * Where a response is read: before its head, in its body, in the lines around the chunks of its body, behind it. `left`: how many bytes the head may
 * have, including those with a status of 1xx before it, which could otherwise go on for ever.
 */
export type Phase = { kind: 'head'; left: number } | BodyPhase;

/** How far a step came; `used` bytes are done with. */
export type ReadStep = { phase: Phase; used: number; head?: ResponseHead; body?: Uint8Array };

/** No head, no line between chunks, and no trailer is longer. */
const MAX_BYTES = 32_768;
const CR = 13;
const LF = 10;

/** Where each response begins. */
export const FIRST_PHASE: Phase = { kind: 'head', left: MAX_BYTES };

/** The next step in these bytes; undefined where it needs more of them. Throws where they are no response of HTTP/1. */
export const readStep = (phase: Exclude<Phase, { kind: 'over' }>, bytes: Buffer): ReadStep | undefined => {
  switch (phase.kind) {
    case 'head':
      return readHead(phase, bytes);
    case 'size':
      return readSize(phase, bytes);
    case 'trailer':
      return readTrailer(phase, bytes);
    case 'gap':
      return readGap(phase, bytes);
    default:
      return bytes.length === 0 ? undefined : readBody(phase, bytes);
  }
};

const readHead = ({ left }: Extract<Phase, { kind: 'head' }>, bytes: Buffer): ReadStep | undefined => {
  const end = endOfHead(bytes.subarray(0, left));
  if (end === undefined) return needMore(bytes, 'the head of its response', left);
  const head = toHead(textBefore(bytes, end.at));
  if (head.status < 200) return { phase: { kind: 'head', left: left - end.used }, used: end.used };
  return { phase: framingOf(head), used: end.used, head };
};

/** The line end before the first blank line; some servers end lines without a carriage return. */
const endOfHead = (bytes: Buffer): { at: number; used: number } | undefined => {
  const long = bytes.indexOf('\n\r\n');
  const short = (long === -1 ? bytes : bytes.subarray(0, long + 1)).indexOf('\n\n');
  if (short !== -1) return { at: short, used: short + 2 };
  return long === -1 ? undefined : { at: long, used: long + 3 };
};

type InBody = Extract<Phase, { kind: 'length' | 'chunk' | 'untilClose' }>;

const readBody = (phase: InBody, bytes: Buffer): ReadStep => {
  if (phase.kind === 'untilClose') return { phase, used: bytes.length, body: bytes };
  const used = Math.min(phase.left, bytes.length);
  return { phase: behind(phase, used), used, body: used === bytes.length ? bytes : bytes.subarray(0, used) };
};

const behind = (phase: Extract<InBody, { left: number }>, used: number): Phase => {
  const { kind, left, isReusable } = phase;
  if (left > used) return { kind, left: left - used, isReusable };
  return kind === 'chunk' ? { kind: 'gap', isReusable } : { kind: 'over', isReusable };
};

type Between = Extract<Phase, { kind: 'size' | 'gap' | 'trailer' }>;

const SIZE = /^0*([\da-f]{1,12})[ \t]*(?:;|$)/i;

/**
 * Lines exactly as in RFC 9112, 7.1. After a body with other lines no further request is sent, as a proxy on the way may read them otherwise and see its
 * end elsewhere.
 */
const STRICT_SIZE = /^[\da-f]+(?:;[\t\x20-\x7e\x80-\xff]*)?\r\n$/i;
const STRICT_TRAILER = /^(?:[!#$%&'*+\-.^_`|~\da-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n$/i;

/** The line before a chunk; extensions have no meaning here. */
const readSize = (phase: Between, bytes: Buffer): ReadStep | undefined => {
  const line = lineOf(bytes);
  if (line === undefined) return needMore(bytes, 'the size of a chunk');
  const [, digits] = SIZE.exec(line.text) ?? [];
  if (digits === undefined) throw noHttp('a chunk of its response has no size');
  const left = Number.parseInt(digits, 16);
  const isReusable = phase.isReusable && STRICT_SIZE.test(bytes.toString('latin1', 0, line.used));
  return { phase: left === 0 ? { kind: 'trailer', isReusable } : { kind: 'chunk', left, isReusable }, used: line.used };
};

/** The lines behind the last chunk, up to a blank one. */
const readTrailer = (phase: Between, bytes: Buffer): ReadStep | undefined => {
  const first = lineOf(bytes);
  const end = first?.text === '' ? first : endOfHead(bytes.subarray(0, MAX_BYTES));
  if (end === undefined) return needMore(bytes, 'the trailer of its response');
  const isReusable = phase.isReusable && STRICT_TRAILER.test(bytes.toString('latin1', 0, end.used));
  return { phase: { kind: 'over', isReusable }, used: end.used };
};

/** The line end behind a chunk. */
const readGap = ({ isReusable }: Between, bytes: Buffer): ReadStep | undefined => {
  const used = bytes[0] === CR ? 2 : 1;
  if (bytes.length < used) return undefined;
  if (bytes[used - 1] !== LF) throw noHttp('a chunk of its response is longer than its size');
  return { phase: { kind: 'size', isReusable: isReusable && used === 2 }, used };
};

const lineOf = (bytes: Buffer): { text: string; used: number } | undefined => {
  const end = bytes.indexOf(LF);
  if (end === -1 || end > MAX_BYTES) return undefined;
  return { text: textBefore(bytes, end), used: end + 1 };
};

/** @param end the place of a line feed */
const textBefore = (bytes: Buffer, end: number): string =>
  bytes.toString('latin1', 0, bytes[end - 1] === CR ? end - 1 : end);

const needMore = ({ length }: Buffer, what: string, mostBytes = MAX_BYTES): undefined => {
  if (length > mostBytes) throw noHttp(`${what} is longer than ${MAX_BYTES} bytes`);
};

const noHttp = (reason: string): Error => new Error(`the server does not speak HTTP/1.1: ${reason}`);

/** The error of a connection that ends before its response does. */
export const closedEarly = ({ kind }: Phase): Error => {
  const text = kind === 'head' ? 'no response' : 'the connection was closed within the response';
  return Object.assign(new Error(text), { code: 'ECONNRESET' });
};
