import type { Msg } from '@nats-io/transport-node';
import { headersOf } from '../../../../src/transport/nats/messages/headersOf';
import { toHeaders } from '../../../../src/transport/nats/natsConnection';
import { natsPackages } from '../../../../src/transport/nats/natsPackages';

type MsgClass = new (msg: { hdr: number }, data: Uint8Array) => Msg;
const { MsgImpl } = natsPackages().core as unknown as { MsgImpl: MsgClass };

/** A message as the client makes it, with this block of headers before its data. */
const messageOf = (block: string) =>
  new MsgImpl({ hdr: block === '' ? -1 : Buffer.byteLength(block) }, Buffer.from(`${block}data`));

describe('headersOf', () => {
  it.each<[string, string, Record<string, string>]>([
    ['are the first value of each name', 'NATS/1.0\r\nA: 1\r\nB-c:2 x \r\nA: 3\r\n\r\n', { A: '1', 'B-c': '2 x' }],
    ['are what they are in UTF-8', 'NATS/1.0\r\nA: ß: ü\r\nB:\r\n\r\n', { A: 'ß: ü', B: '' }],
    ['have names that every object has', 'NATS/1.0\r\nconstructor: 1\r\n\r\n', { constructor: '1' }],
    ['leave out the status, and what is none', 'NATS/1.0 503 No\r\nwhat\r\nA: 1\r\n\r\n', { A: '1' }],
    ['are none where a name is malformed', 'NATS/1.0\r\nA: 1\r\nbad key: 1\r\n\r\n', {}],
    ['are none where a value has two lines', 'NATS/1.0\r\nA: 1\nB: 2\r\n\r\n', {}],
    ['are none without a block', '', {}],
  ])('%s, as the client has them', (_, block, expected) => {
    const message = messageOf(block);
    expect(headersOf(message)).toEqual(expected);
    expect(toHeaders(message.headers)).toEqual(expected);
  });

  it('are those of the client where a message has no bytes', () => {
    const { headers } = messageOf('NATS/1.0\r\nA: 1\r\n\r\n');
    expect(headersOf({ headers } as Msg)).toEqual({ A: '1' });
  });
});
