import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { natsPackages } from '../../../src/transport/nats/natsPackages';
import { openConnection } from '../../../src/transport/nats/openConnection';

const INFO = 'INFO {"server_id":"x","version":"2.10.0","proto":1,"headers":true,"max_payload":1000}\r\n';
/** Longer than a spec may take: what waits for it fails. */
const timeout = 600_000;

const listening: Server[] = [];
afterAll(() => {
  for (const listener of listening) listener.close();
});

/** A server that greets and does with each client as `then` says. */
const openTo = async (then: (socket: Socket) => void) => {
  const listener = createServer((socket) => {
    socket.on('error', () => {}).write(INFO);
    socket.once('data', () => then(socket)); // the login
  }).listen(0, '127.0.0.1');
  listening.push(listener);
  await once(listener, 'listening');
  const stopping = new AbortController();
  const { port } = listener.address() as AddressInfo;
  const options = { servers: [`127.0.0.1:${port}`], timeout, maxReconnectAttempts: -1 };
  const opening = openConnection({ core: natsPackages().core, options, stop: stopping.signal });
  return { opening, stopping };
};

describe('openConnection', () => {
  it('gives a server up at once that closes before it accepts the login', async () => {
    const { opening } = await openTo((socket) => socket.destroy());
    await expect(opening).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('closed the connection before it accepted the login'),
    });
  });

  it('leaves no socket where it is stopped before the login is accepted', async () => {
    const closed: Promise<unknown>[] = [];
    const { opening, stopping } = await openTo((socket) => {
      closed.push(once(socket, 'close'));
      stopping.abort();
    });
    await expect(opening).rejects.toThrow();
    await Promise.all(closed);
  });
});
