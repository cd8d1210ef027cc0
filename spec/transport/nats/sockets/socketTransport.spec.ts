import { once } from 'node:events';
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net';
import type { Server } from '@nats-io/transport-node';
import { natsPackages } from '../../../../src/transport/nats/natsPackages';
import { type SocketOptions, socketTransport } from '../../../../src/transport/nats/sockets/socketTransport';

const INFO = 'INFO {"max_payload":1000}\r\n';

/** A server that begins each connection with `greeting`. */
const listening: NetServer[] = [];
const serve = async (greeting: string): Promise<{ server: Server; accepted: Promise<Socket> }> => {
  const listener = createServer((socket) => socket.on('error', () => {}).write(greeting)).listen(0, '127.0.0.1');
  listening.push(listener);
  await once(listener, 'listening');
  const accepted = once(listener, 'connection').then(([socket]) => socket as Socket);
  const { port } = listener.address() as AddressInfo;
  return { server: { hostname: '127.0.0.1', port, tlsName: '' } as Server, accepted };
};
afterAll(() => {
  for (const listener of listening) listener.close();
});

const open = async (greeting = INFO) => {
  const { server, accepted } = await serve(greeting);
  const transport = socketTransport(natsPackages().core);
  const sockets: Socket[] = [];
  const options: SocketOptions = {
    watch: { dialing: () => ({ opened: (socket) => sockets.push(socket), closed: () => {} }) },
  };
  const connected = transport.connect(server, options);
  return { transport, connected, sockets, accepted, frames: transport[Symbol.asyncIterator]() };
};
const textOf = ({ value }: { value?: Uint8Array }) => Buffer.from(value ?? []).toString();

describe('socketTransport', () => {
  it('hands over what the server sends in whole frames, and sends', async () => {
    const { transport, connected, sockets, accepted, frames } = await open();
    await connected;
    const peer = await accepted;
    expect(textOf(await frames.next())).toBe(INFO);
    const long = `MSG a 1 300000\r\n${'x'.repeat(300_000)}\r\n`;
    peer.write(`PING\r\n${long.slice(0, 200_000)}`);
    expect(textOf(await frames.next())).toBe('PING\r\n');
    peer.write(long.slice(200_000));
    expect(textOf(await frames.next())).toBe(long);
    transport.send(Buffer.from('PONG\r\n'));
    expect(String((await once(peer, 'data'))[0])).toBe('PONG\r\n');
    expect([transport.isClosed, transport.isEncrypted(), sockets[0]?.destroyed]).toEqual([false, false, false]);
    await transport.close();
    expect([await transport.closed(), (await frames.next()).done]).toEqual([undefined, true]);
  });

  it('ends with its socket, behind what was received before', async () => {
    const { transport, connected, accepted, frames } = await open();
    await connected;
    (await accepted).end('PING\r\n');
    await transport.closed();
    expect([textOf(await frames.next()), textOf(await frames.next())]).toEqual([INFO, 'PING\r\n']);
    expect([(await frames.next()).done, transport.isClosed]).toEqual([true, true]);
    transport.send(Buffer.from('PONG\r\n'));
  });

  it.each([
    [
      'what no server sends',
      async ({ accepted }: Awaited<ReturnType<typeof open>>) => (await accepted).write(`MSG a 1 ${'9'.repeat(20)}\r\n`),
    ],
    ['what the client cannot read', async ({ frames }: Awaited<ReturnType<typeof open>>) => frames.return?.()],
  ])('ends the connection behind %s, so that the client dials again', async (_, breakIt) => {
    const opened = await open();
    await opened.connected;
    await breakIt(opened);
    const error = await opened.transport.closed();
    expect([error, opened.transport.closeError]).toEqual([error, expect.objectContaining({ name: 'NatsError' })]);
    expect(opened.sockets[0]?.destroyed).toBe(true);
  });

  it('does not resolve `closed` of one that is discarded', async () => {
    const { transport, connected, accepted } = await open();
    await connected;
    transport.discard();
    await once(await accepted, 'close');
    const first = await Promise.race([transport.closed().then(() => 'closed'), Promise.resolve('open')]);
    expect([first, transport.isClosed]).toEqual(['open', true]);
  });

  it.each([
    ['what is no server of NATS', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'no server of NATS'],
    ['a server that says nothing that can be read', 'INFO {\r\n', 'no server of NATS'],
  ])('does not connect to %s', async (_, greeting, why) => {
    await expect((await open(greeting)).connected).rejects.toThrow(why);
  });

  it('does not connect where the server closes at once, where nobody listens, and once it is discarded', async () => {
    const closing = await open('');
    (await closing.accepted).destroy();
    await expect(closing.connected).rejects.toThrow('closed the connection');
    const { server } = await serve('');
    const gone = listening.pop();
    await new Promise((done) => gone?.close(done));
    const refused = socketTransport(natsPackages().core).connect(server, {});
    await expect(refused).rejects.toMatchObject({ name: 'ConnectionError', message: 'connection refused' });
    const discarded = await open('');
    discarded.transport.discard();
    await expect(discarded.connected).rejects.toThrow('closed the connection');
  });
});
