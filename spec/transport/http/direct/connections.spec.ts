/** Connections are real, to a server on this machine. */
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { connections } from '../../../../src/transport/http/direct/connections';
import { toTarget } from '../../../../src/transport/http/direct/target';
import { someTurns } from '../../../support/turns';

const open: { close: () => void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

const listen = async () => {
  const accepted: Socket[] = [];
  const server = net.createServer((socket) => accepted.push(socket)).listen(0, '127.0.0.1');
  open.push({
    close: () => {
      server.close();
      for (const socket of accepted) socket.destroy();
    },
  });
  await once(server, 'listening');
  return { accepted, target: toTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`) };
};
const pool = () => connections({ trust: () => ({}) });
const until = async (isSo: () => boolean) => {
  while (!isSo()) await someTurns();
};

describe('connections', () => {
  it('keeps a connection for the next request to the same server, the newest first', async () => {
    const { target } = await listen();
    const own = pool();
    const [a, b] = [own.open(target), own.open(target)];
    own.keep(target, a);
    own.keep(target, b);
    const others = ['http://127.0.0.1:1/', `https://127.0.0.1:${target.port}/`].map((url) => own.kept(toTarget(url)));
    expect([own.kept(target), own.kept(target), own.kept(target), ...others]).toEqual([
      b,
      a,
      undefined,
      undefined,
      undefined,
    ]);
    a.socket.destroy();
    b.socket.destroy();
  });

  it('forgets a connection that its server has closed, or sends to unasked', async () => {
    const { target, accepted } = await listen();
    const own = pool();
    for (const end of [
      (socket: Socket) => socket.end(),
      (socket: Socket) => socket.write('HTTP/1.1 408 Late\r\n\r\n'),
    ]) {
      const connection = own.open(target);
      const closed = once(connection.socket, 'close');
      own.keep(target, connection);
      await until(() => accepted.length > 0);
      end(accepted.pop() as Socket);
      await closed;
      expect(own.kept(target)).toBeUndefined();
    }
  });

  it('keeps none that is over', async () => {
    const { target } = await listen();
    const own = pool();
    const connection = own.open(target);
    connection.socket.destroy();
    own.keep(target, connection);
    expect(own.kept(target)).toBeUndefined();
  });

  it('brings bytes, the end and the loss of a connection to the request that has it', async () => {
    const { target, accepted } = await listen();
    const connection = pool().open(target);
    const log: unknown[] = [];
    connection.use({
      data: (bytes) => log.push(bytes.toString()),
      end: () => log.push('end'),
      error: ({ message }) => log.push(message),
    });
    await until(() => accepted.length > 0);
    accepted[0]?.end('a');
    await once(connection.socket, 'close');
    expect(log).toEqual(['a', 'end', 'the connection was closed']);
  });
});
