/** The headers of a message, with one value for each name. */
import type { Msg } from '@nats-io/transport-node';
import { toBuffer } from '../../../streams';
import { toHeaders } from '../natsConnection';
import type { NatsHeaders } from '../natsLink';

/** The class of messages has these bytes, but its type does not declare them. Source: @nats-io/nats-core 3.3, msg.js. */
type WithBytes = Partial<{ _msg: { hdr: number }; _rdata: Uint8Array }>;

const NONE: NatsHeaders = {};

/**
 * Own code, since the client makes an object of them, with a list of values and a canonical name each: some 5 % of a client's processor time for an echo. Where
 * one is malformed there are none, as `harden` has it.
 */
export const headersOf = (message: Pick<Msg, 'headers'>): NatsHeaders => {
  const { _msg: { hdr } = {}, _rdata } = message as WithBytes;
  if (hdr === undefined || _rdata === undefined) return toHeaders(message.headers);
  return hdr < 0 ? NONE : toNatsHeaders(toBuffer(_rdata.subarray(0, hdr)).toString());
};

const LINE = /^([!-9;-~]+):([^\r\n]*)$/;

const toNatsHeaders = (block: string): NatsHeaders => {
  const made: Record<string, string> = {};
  const [, ...lines] = block.split('\r\n'); // the first one is the version
  for (const line of lines) {
    if (!line.includes(':')) continue;
    const [, name, value = ''] = LINE.exec(line) ?? [];
    if (name === undefined) return NONE;
    if (!Object.hasOwn(made, name)) made[name] = value.trim();
  }
  return made;
};
