import { type SendDeps, sendMessage } from '../../../../src/transport/nats/messages/sendMessage';
import { natsPackages } from '../../../../src/transport/nats/natsPackages';

/** What a client was asked to publish, and the frames that were sent around it. */
const sendingTo = (maxPayload: number) => {
  const sent: unknown[] = [];
  const connection = {
    ...{ info: { max_payload: maxPayload }, isClosed: () => false, isDraining: () => false },
    publish: (subject: string, data: Uint8Array, { reply, headers }: { reply?: string; headers?: unknown }) => {
      if (data.length > maxPayload) throw new Error('max_payload size exceeded');
      sent.push(['client', subject, Buffer.from(data).toString(), reply, String(headers)]);
    },
  };
  const sendFrame: SendDeps['sendFrame'] = (pieces) => sent.push(['frame', Buffer.concat(pieces).toString()]);
  const deps = { connection, packages: natsPackages(), sendFrame } as unknown as SendDeps;
  return { sent, send: (message: Parameters<typeof sendMessage>[1]) => sendMessage(deps, message) };
};

describe('sendMessage', () => {
  it('sends a frame, and by the client what has none', () => {
    const { sent, send } = sendingTo(100);
    const payload = [Buffer.from('a'), Buffer.from('b')];
    send({ subject: 's', reply: 'r', payload, headers: { A: 'b' } });
    send({ subject: 's', reply: 'r', payload, headers: { A: 'ß' } });
    send({ subject: 'ß', payload: [], headers: {} });
    expect(sent).toEqual([
      ['frame', 'HPUB s r 18 20\r\nNATS/1.0\r\nA: b\r\n\r\nab\r\n'],
      ['client', 's', 'ab', 'r', 'NATS/1.0\r\nA: ß\r\n\r\n'],
      ['client', 'ß', '', undefined, 'undefined'],
    ]);
  });

  it('throws what the client throws', () => {
    const { send } = sendingTo(1);
    expect(() => send({ subject: 's', payload: [Buffer.from('ab')], headers: {} })).toThrow('max_payload');
  });
});
