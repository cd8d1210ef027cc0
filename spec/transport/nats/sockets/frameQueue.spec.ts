import { frameQueue } from '../../../../src/transport/nats/sockets/frameQueue';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const done = { done: true, value: undefined };

describe('frameQueue', () => {
  it('gives frames in their order, those that came before the reader and those that it waits for', async () => {
    const queue = frameQueue();
    queue.push(bytes('a'));
    const frames = queue.read(() => {});
    expect(await frames.next()).toEqual({ done: false, value: bytes('a') });
    const waiting = frames.next();
    queue.push(bytes('b'));
    expect(await waiting).toEqual({ done: false, value: bytes('b') });
  });

  it('ends behind the frames that are left, and for a reader that waits', async () => {
    const queue = frameQueue();
    const frames = queue.read(() => {});
    queue.push(bytes('a'));
    queue.end();
    expect(await frames.next()).toEqual({ done: false, value: bytes('a') });
    expect(await frames.next()).toEqual(done);
    const other = frameQueue();
    const waiting = other.read(() => {}).next();
    other.end();
    expect(await waiting).toEqual(done);
  });

  it('can be iterated over, and calls back when its reader gives up', async () => {
    const queue = frameQueue();
    const gaveUp = jest.fn();
    queue.push(bytes('a'));
    for await (const frame of queue.read(gaveUp)) {
      expect(frame).toEqual(bytes('a'));
      break;
    }
    expect(gaveUp).toHaveBeenCalledTimes(1);
  });
});
