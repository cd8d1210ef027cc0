import { messageFrame } from '../../../../src/transport/nats/messages/messageFrame';

const connection = { info: { max_payload: 200_000 }, isClosed: () => false, isDraining: () => false } as Parameters<
  typeof messageFrame
>[0];
const small = [Buffer.from('ab'), Buffer.from('c')];
const large = [Buffer.alloc(60_000, 'a'), Buffer.alloc(6_000, 'b')];
const message = { subject: 's.t', reply: 'r', payload: small, headers: {} };
const text = (frame: Uint8Array[] | undefined) => frame && Buffer.concat(frame).toString();

describe('messageFrame', () => {
  it('is one piece for a small message', () => {
    const frames = [
      messageFrame(connection, message),
      messageFrame(connection, { ...message, reply: undefined, payload: [] }),
      messageFrame(connection, { ...message, headers: { A: 'b c', 'D-E': ':' } }),
    ];
    const block = 'NATS/1.0\r\nA: b c\r\nD-E: :\r\n\r\n';
    expect(frames.map(text)).toEqual([
      'PUB s.t r 3\r\nabc\r\n',
      'PUB s.t 0\r\n\r\n',
      `HPUB s.t r ${block.length} ${block.length + 3}\r\n${block}abc\r\n`,
    ]);
    expect(frames.map((frame) => frame?.length)).toEqual([1, 1, 1]);
  });

  it('does not copy the payload of a large one', () => {
    const body = 'a'.repeat(60_000) + 'b'.repeat(6_000);
    const frame = messageFrame(connection, { ...message, payload: large });
    expect(text(frame)).toBe(`PUB s.t r 66000\r\n${body}\r\n`);
    expect(frame?.slice(1, 3)).toEqual(large);
    const block = 'NATS/1.0\r\nA: b\r\n\r\n';
    expect(text(messageFrame(connection, { ...message, payload: large, headers: { A: 'b' } }))).toBe(
      `HPUB s.t r ${block.length} ${66_000 + block.length}\r\n${block}${body}\r\n`,
    );
  });

  it.each([
    ['is longer than the server takes', connection, { ...message, payload: [Buffer.alloc(200_001)] }],
    ['with its headers is longer', connection, { ...message, payload: [Buffer.alloc(200_000)], headers: { A: 'b' } }],
    ['has a subject that is none', connection, { ...message, subject: 's\r\nPUB t' }],
    ['has no subject', connection, { ...message, subject: '' }],
    ['has a reply that is no subject', connection, { ...message, reply: 'r r' }],
    ['has a subject that is not ASCII', connection, { ...message, subject: 'ß' }],
    ['has a header in two lines', connection, { ...message, headers: { A: 'b\r\nC: d' } }],
    ['has a header that is not ASCII', connection, { ...message, headers: { A: 'ß' } }],
    ['has a name that is none', connection, { ...message, headers: { 'A:': 'b' } }],
    ['has a value that the client trims', connection, { ...message, headers: { A: 'b ' } }],
    ['comes behind the close', { ...connection, isClosed: () => true }, message],
    ['comes while the connection is drained', { ...connection, isDraining: () => true }, message],
    ['comes before the server said what it takes', { ...connection, info: undefined }, message],
  ])('leaves a message to the client that %s', (_, open, one) => {
    expect(messageFrame(open, one)).toBeUndefined();
  });
});
