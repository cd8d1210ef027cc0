/** A request as it is sent. Own code: see responseReader.ts. */
import type { HttpRequest } from '../httpRequest';
import type { Target } from './target';

const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that belong to the connection, and are set here. */
const OF_CONNECTION = new Set(['connection', 'content-length', 'transfer-encoding']);

/** The bytes of a text, and how its characters become bytes. */
export type RequestText = { text: string; encoding: 'latin1' | 'utf8' };

/**
 * The request in one piece. Throws a TypeError, which names the header and not its value, for an invalid name or value.
 * A request in ASCII is written as Latin-1, which takes Node half the time.
 */
export const toRequestText = (target: Target, { method, headers, body }: HttpRequest): RequestText => {
  const length = Buffer.byteLength(body);
  const names = Object.keys(headers);
  const own = names.map((name) => toField(name, headers[name] as string)).join('');
  const given = new Set(names.map((name) => name.toLowerCase()));
  const host = given.has('host') ? '' : `Host: ${target.authority}\r\n`;
  const login = target.login === undefined || given.has('authorization') ? '' : `Authorization: ${target.login}\r\n`;
  const framing = method === undefined || length > 0 ? `Content-Length: ${length}\r\n` : '';
  const head = `${method ?? 'POST'} ${target.path} HTTP/1.1\r\n${own}${host}${login}Connection: keep-alive\r\n${framing}\r\n`;
  const isAscii = length === body.length && Buffer.byteLength(head) === head.length;
  return { text: head + body, encoding: isAscii ? 'latin1' : 'utf8' };
};

const toField = (name: string, value: string): string => {
  if (!NAME.test(name)) throw new TypeError(`Header name must be a valid HTTP token ["${name}"]`);
  if (!VALUE.test(value)) throw new TypeError(`Invalid character in header content ["${name}"]`);
  return OF_CONNECTION.has(name.toLowerCase()) ? '' : `${name}: ${value}\r\n`;
};
