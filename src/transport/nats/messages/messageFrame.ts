/**
 * A message as a frame of the protocol. Own code, since `publish` of the client makes an object of the headers, encodes line, headers and payload apart, and
 * packs what it sends into one piece, also 512 KB of output.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import type { NatsHeaders } from '../natsLink';

/** A message, with the subject of the response where one is wanted; its payload is all pieces. */
export type FramedMessage = {
  subject: string;
  reply?: string | undefined;
  payload: readonly Uint8Array[];
  headers: NatsHeaders;
};

/** From this size on the pieces of the payload are not joined. */
const LARGE_BYTES = 65_536;
const CRLF = Buffer.from('\r\n');

/**
 * The pieces of the frame, one for a small message. undefined for a message that the client is to send: one that it refuses with a reason, or whose subject or
 * headers are not plain ASCII.
 * Source: the protocol of NATS clients, `PUB` and `HPUB`.
 *   HPUB SUBJECT REPLY HEADER_BYTES ALL_BYTES
 */
export const messageFrame = (
  connection: Pick<NatsConnection, 'info' | 'isClosed' | 'isDraining'>,
  { subject, reply, payload, headers }: FramedMessage,
): Uint8Array[] | undefined => {
  const to = reply === undefined ? subject : `${subject} ${reply}`;
  const block = headerBlock(headers);
  const payloadBytes = payload.length === 1 ? (payload[0]?.length ?? 0) : bytesOf(payload);
  const bytes = (block?.length ?? 0) + payloadBytes;
  if (block === undefined || !isPlain(subject) || !isPlain(reply ?? subject)) return undefined;
  if (bytes > (connection.info?.max_payload ?? -1) || connection.isClosed() || connection.isDraining())
    return undefined;
  const head = block === '' ? `PUB ${to} ${bytes}\r\n` : `HPUB ${to} ${block.length} ${bytes}\r\n${block}`;
  return payloadBytes < LARGE_BYTES
    ? [packed(head, payload, payloadBytes)]
    : [Buffer.from(head, 'latin1'), ...payload, CRLF];
};

const bytesOf = (payload: readonly Uint8Array[]): number => payload.reduce((sum, { length }) => sum + length, 0);

const isPlain = (subject: string): boolean => /^[!-~]+$/.test(subject);

/** A value that the client would trim, or encode, is left to it. */
const PLAIN_HEADER = /^[!-9;-~]+: [!-~](?:[ -~]*[!-~])?$/;

/** '' where there are none, undefined where the client is to write them. */
const headerBlock = (headers: NatsHeaders): string | undefined => {
  let block = '';
  for (const name of Object.keys(headers)) {
    const header = `${name}: ${headers[name]}`;
    if (!PLAIN_HEADER.test(header)) return undefined;
    block += `${header}\r\n`;
  }
  return block === '' ? '' : `NATS/1.0\r\n${block}\r\n`;
};

/** The head is ASCII. */
const packed = (head: string, payload: readonly Uint8Array[], payloadBytes: number): Uint8Array => {
  const frame = Buffer.allocUnsafe(head.length + payloadBytes + CRLF.length);
  let at = frame.write(head, 'latin1');
  for (const piece of payload) {
    frame.set(piece, at);
    at += piece.length;
  }
  frame.set(CRLF, at);
  return frame;
};
