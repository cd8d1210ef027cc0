import { largeFrame } from '../../../src/transport/nats/largeFrame';
import { natsPackages } from '../../../src/transport/nats/natsPackages';

const connection = { info: { max_payload: 200_000 }, isClosed: () => false, isDraining: () => false } as Parameters<
  typeof largeFrame
>[0];
const payload = [Buffer.alloc(60_000, 'a'), Buffer.alloc(6_000, 'b')];
const message = { subject: 's.t', reply: 'r', payload, headers: undefined };
const text = (frame: Uint8Array[] | undefined) => frame && Buffer.concat(frame).toString();
const headers = () => {
  const made = natsPackages().core.headers();
  made.set('A', 'b');
  return made;
};

describe('largeFrame', () => {
  it('is the frame of a message, whose payload is not copied', () => {
    const body = 'a'.repeat(60_000) + 'b'.repeat(6_000);
    const frame = largeFrame(connection, message);
    expect(text(frame)).toBe(`PUB s.t r 66000\r\n${body}\r\n`);
    expect(frame?.slice(1, 3)).toEqual(payload);
    const head = 'NATS/1.0\r\nA: b\r\n\r\n';
    expect(text(largeFrame(connection, { ...message, headers: headers() }))).toBe(
      `HPUB s.t r ${head.length} ${66_000 + head.length}\r\n${head}${body}\r\n`,
    );
  });

  it.each([
    ['is small', connection, { ...message, payload: [Buffer.alloc(65_535)] }],
    ['is longer than the server takes', connection, { ...message, payload: [Buffer.alloc(200_001)] }],
    ['with its headers is longer', connection, { ...message, payload: [Buffer.alloc(200_000)], headers: headers() }],
    ['has a subject that is none', connection, { ...message, subject: 's\r\nPUB t' }],
    ['comes behind the close', { ...connection, isClosed: () => true }, message],
    ['comes while the connection is drained', { ...connection, isDraining: () => true }, message],
    ['comes before the server said what it takes', { ...connection, info: undefined }, message],
  ])('leaves a message to the client that %s', (_, open, one) => {
    expect(largeFrame(open, one)).toBeUndefined();
  });
});
