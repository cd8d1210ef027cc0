/**
 * Closes holes of the NATS packages that any sender of a message could use.
 * Source: @nats-io/nats-core 3.4, headers.js and protocol.js; @nats-io/nuid 3.0, nuid.js.
 */
import { randomUUID } from 'node:crypto';
import type { MsgHdrs } from '@nats-io/transport-node';

/** The part of the client that is changed. */
type Core = { headers: () => MsgHdrs; nuid: { next: () => string } };

/** The class of headers, whose `decode` every reader of headers calls. */
type HeadersClass = { decode: (bytes: Uint8Array) => MsgHdrs };

/**
 * Malformed headers count as none: the packages throw in the reader of the connection, which then reads nothing more.
 * Subjects of responses are random: the packages only count, so one responder could guess the subjects of others and forge responses.
 * What the packages print goes to stderr, one line without control characters each: stdout carries only protocol.
 */
export const harden = <P extends { core: Core }>(packages: P): P => {
  const { headers, nuid } = packages.core;
  nuid.next = () => randomUUID().replaceAll('-', '');
  const made = headers().constructor as unknown as HeadersClass;
  const { decode } = made;
  made.decode = (bytes) => decoded(bytes, decode) ?? headers();
  console.log = (...parts: unknown[]) => console.error(JSON.stringify(parts.map(String).join(' ')));
  return packages;
};

const decoded = (bytes: Uint8Array, decode: HeadersClass['decode']): MsgHdrs | undefined => {
  try {
    return decode(bytes);
  } catch {
    return undefined;
  }
};
