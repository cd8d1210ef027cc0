/** The head of a response: its status, its headers, and what they say of the body behind it. Own code: see responseReader.ts. */
import type { HttpHeaders } from '../httpRequest';

/** `isLast`: the server takes no further request on the connection. */
export type ResponseHead = { status: number; headers: HttpHeaders; isLast: boolean };

/** The body that follows a head, or no body. `left` in bytes. */
export type BodyPhase =
  | { kind: 'length'; left: number; isReusable: boolean }
  | { kind: 'chunk'; left: number; isReusable: boolean }
  | { kind: 'size'; isReusable: boolean }
  | { kind: 'gap'; isReusable: boolean }
  | { kind: 'trailer'; isReusable: boolean }
  | { kind: 'over'; isReusable: boolean }
  | { kind: 'untilClose' };

const STATUS = /^HTTP\/1\.([01]) (\d{3})(?: |$)/;

/** Of these the first one counts, where a server repeats them. Source: Node 20, http.IncomingMessage. */
const SINGLE = new Set(['content-type', 'location', 'retry-after', 'content-encoding']);

/** No line of a head holds other control characters than tabs: a header may be shown. Source: RFC 9110, 5.5; Node's parser refuses them too. */
const CONTROL = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)/;

/** Throws for what is no head of HTTP/1, and for a change of the protocol, which no request asks for. */
export const toHead = (text: string): ResponseHead => {
  const [first = '', ...lines] = text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const [, minor, digits] = STATUS.exec(first) ?? [];
  const status = Number(digits);
  if (digits === undefined || status < 100) {
    throw new Error(
      `the server does not speak HTTP/1.1: its response begins with ${JSON.stringify(first.slice(0, 40))}`,
    );
  }
  if (CONTROL.test(text)) {
    throw new Error('the server does not speak HTTP/1.1: a header of its response holds a control character');
  }
  if (status === 101) throw new Error('the server changed to another protocol');
  const headers = toHeaders(lines);
  const connection = String(headers.connection ?? '').toLowerCase();
  return { status, headers, isLast: minor === '0' || connection.includes('close') };
};

/** Repeated headers are joined, except cookies. */
const toHeaders = (lines: readonly string[]): HttpHeaders => {
  const headers: Record<string, string | string[]> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trimEnd().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers[name];
    if (name === 'set-cookie') headers[name] = [...(before ?? []), value];
    else if (before === undefined) headers[name] = value;
    else if (!SINGLE.has(name)) headers[name] = `${before}, ${value}`;
  }
  return headers;
};

/** Throws for a length that cannot be one. Source: RFC 9112, 6.3. */
export const framingOf = ({ status, headers, isLast }: ResponseHead): BodyPhase => {
  const { 'transfer-encoding': coding, 'content-length': length } = headers;
  if (status === 204 || status === 304) return { kind: 'over', isReusable: !isLast };
  if (coding !== undefined) {
    const isChunked = /(?:^|[ \t,])chunked$/i.test(String(coding));
    return isChunked ? { kind: 'size', isReusable: !isLast && length === undefined } : { kind: 'untilClose' };
  }
  if (length === undefined) return { kind: 'untilClose' };
  const left = toLength(String(length));
  return left === 0 ? { kind: 'over', isReusable: !isLast } : { kind: 'length', left, isReusable: !isLast };
};

/** The same length sent twice counts as one. */
const toLength = (text: string): number => {
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  if (/^\d{1,15}$/.test(first) && others.every((other) => other === first)) return Number(first);
  throw new Error('the server does not speak HTTP/1.1: the length of its response is no number');
};
