/** What the packages leave open to whoever sends a message, closed. Source: @nats-io/nats-core 3.4, headers.js and protocol.js; @nats-io/nuid 3.0, nuid.js. */
import type { MsgHdrs } from '@nats-io/transport-node';

/** The part of the client that is closed. */
type Core = { headers: () => MsgHdrs; nuid: { next: () => string } };

/** The class of headers, which every reader of them calls. */
type HeadersClass = { decode: (bytes: Uint8Array) => MsgHdrs };

/**
 * A message whose headers are malformed has none: the packages throw in the reader of the connection, which then reads nothing more. What they print goes to stderr, each as
 * one line without control characters: stdout carries only protocol, and they print what a server has sent.
 * Subjects of responses are random as a whole: the packages count them up, so that whoever serves one request could work out those of all others, and forge their responses.
 */
export const harden = <P extends { core: Core }>(packages: P): P => {
  const { headers, nuid } = packages.core;
  nuid.next = () => globalThis.crypto.randomUUID().replaceAll('-', '');
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
