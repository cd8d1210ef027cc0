/** A large message as a frame of the protocol, in the pieces that there are: the client packs what it sends into one, also 512 KB of output. */
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';

/** A message for a stream, with the subject of its acknowledgement. */
export type FramedMessage = {
  subject: string;
  reply: string;
  payload: readonly Uint8Array[];
  headers: MsgHdrs | undefined;
};

/** Less is packed by the client, which is one write. */
const LARGE_BYTES = 65_536;
const CRLF = Buffer.from('\r\n');
const NONE = new Uint8Array();

/**
 * undefined for a message that the client is to send: a small one, and one that it refuses with the reason.
 * Source: the protocol of NATS clients, `PUB` and `HPUB`.
 *   HPUB SUBJECT REPLY HEADER_BYTES ALL_BYTES
 */
export const largeFrame = (
  connection: Pick<NatsConnection, 'info' | 'isClosed' | 'isDraining'>,
  { subject, reply, payload, headers }: FramedMessage,
): Uint8Array[] | undefined => {
  const payloadBytes = payload.reduce((sum, { length }) => sum + length, 0);
  if (payloadBytes < LARGE_BYTES || /\s/.test(subject)) return undefined;
  if (connection.isClosed() || connection.isDraining()) return undefined;
  const head = headers === undefined ? NONE : encoded(headers);
  const bytes = head.length + payloadBytes;
  if (bytes > (connection.info?.max_payload ?? 0)) return undefined;
  const sizes = headers === undefined ? `${bytes}` : `${head.length} ${bytes}`;
  const line = `${headers === undefined ? 'PUB' : 'HPUB'} ${subject} ${reply} ${sizes}\r\n`;
  return [Buffer.concat([Buffer.from(line), head]), ...payload, CRLF];
};

/** The class of headers has it, and their type has not. Source: @nats-io/nats-core 3.3, headers.js. */
const encoded = (headers: MsgHdrs): Uint8Array => (headers as MsgHdrs & { encode: () => Uint8Array }).encode();
