import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import { natsPackages } from '../../../src/fleet/link/natsPackages';
import { natsOptions, openConnection } from '../../../src/fleet/link/openConnection';
import { parseNatsAddress } from '../../../src/io/nats/natsAddress';
import { NATS_DEFAULTS } from '../../../src/settings/readNats';

const INFO = 'INFO {"server_id":"x","version":"2.10.0","proto":1,"headers":true,"max_payload":1000}\r\n';

/** Longer than a spec may take: what waits for it fails. */
const timeout = 600_000;

const listening: Server[] = [];

afterAll(() => {
  for (const listener of listening) listener.close();
});

/** A server that greets and does with each client as `then` says; `waitMs` is how long the client waits for it. */
const openTo = async (then: (socket: Socket) => void, { greeting = INFO, waitMs = timeout } = {}) => {
  const listener = createServer((socket) => {
    socket.on('error', () => {}).write(greeting);
    if (greeting === INFO)
      socket.once('data', () => then(socket)); // the login
    else then(socket);
  }).listen(0, '127.0.0.1');
  listening.push(listener);
  await once(listener, 'listening');
  const stopping = new AbortController();
  const { port } = listener.address() as AddressInfo;
  const options = { servers: [`127.0.0.1:${port}`], timeout: waitMs, maxReconnectAttempts: -1 };
  const opening = openConnection({ ...natsPackages(), options, stop: stopping.signal });
  return { opening, stopping };
};

const { core } = natsPackages();

const tlsOf = (address: string) =>
  natsOptions(core, parseNatsAddress(address), NATS_DEFAULTS).tls as {
    checkServerIdentity: (host: string, certificate: PeerCertificate) => Error | undefined;
  };

const certificateOf = (subjectaltname: string) => ({ subject: { CN: 'x' }, subjectaltname }) as PeerCertificate;

describe('openConnection', () => {
  it('gives a server up at once that closes before it accepts the login', async () => {
    const { opening } = await openTo((socket) => socket.destroy());
    await expect(opening).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('closed the connection before it accepted the login'),
    });
  });

  it.each([
    ['is no server of NATS', 'SSH-2.0-OpenSSH_9\r\n', () => {}, 'what answers there is no server of NATS'],
    ['greets with what cannot be read', 'INFO {\r\n', () => {}, 'what answers there is no server of NATS'],
    ['closes before it greets', '', (socket: Socket) => socket.destroy(), 'the server closed the connection'],
  ])('names a peer that %s', async (_, greeting, then, reason) => {
    const { opening } = await openTo(then, { greeting });
    await expect(opening).rejects.toMatchObject({ kind: 'unreachable', message: expect.stringContaining(reason) });
  });

  it.each([
    ['never greets', ''],
    ['never answers the login', INFO],
  ])('leaves no socket to a server that %s', async (_, greeting) => {
    const peers: Socket[] = [];
    const { opening } = await openTo((socket) => peers.push(socket.resume()), { greeting, waitMs: 200 });
    await expect(opening).rejects.toMatchObject({ message: expect.stringContaining('timeout') });
    await Promise.all(peers.map((peer) => peer.destroyed || once(peer, 'close')));
    expect(peers).toHaveLength(1);
  });

  it('leaves no socket if it is stopped before the login is accepted', async () => {
    const closed: Promise<unknown>[] = [];
    const { opening, stopping } = await openTo((socket) => {
      closed.push(once(socket, 'close'));
      stopping.abort();
    });
    await expect(opening).rejects.toThrow();
    await Promise.all(closed);
  });
});

describe('natsOptions', () => {
  it('asks for no encryption if neither address nor settings do', () => {
    expect(tlsOf('nats://localhost')).toBeUndefined();
  });

  it.each([
    ['tls://10.0.0.5', 'IP Address:10.0.0.5', 'localhost', true],
    ['tls://10.0.0.5:4223,[::1]:4224', 'IP Address:0:0:0:0:0:0:0:1', 'localhost', true],
    ['tls://10.0.0.5', 'DNS:localhost', 'localhost', false],
    ['tls://10.0.0.5', 'IP Address:10.0.0.6', 'localhost', false],
    ['tls://localhost', 'DNS:localhost', 'localhost', true],
    ['tls://nats.lan,10.0.0.5', 'DNS:nats.lan', 'nats.lan', true],
    ['tls://nats.lan,10.0.0.5', 'IP Address:10.0.0.5', 'nats.lan', false],
  ])('at %s takes a certificate for %s, when Node checks %s: %s', (address, names, host, isTaken) => {
    const fault = tlsOf(address).checkServerIdentity(host, certificateOf(names));
    expect(fault === undefined).toBe(isTaken);
  });
});
