/** Owns a TCP proxy to a server that can stall: while it does, nothing goes either way, and no connection breaks. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `address` leads through the proxy; `stall` and `go` act on all connections, those that come later too. */
export type StallingRoad = { address: string; stall: () => void; go: () => void; close: () => void };

export const openStallingRoad = async (target: string): Promise<StallingRoad> => {
  const sockets = new Set<Socket>();
  const road = { isStalled: false };
  const { hostname, port } = new URL(target);
  const join = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.unref(); // a spec that fails ends all the same
    from.setNoDelay();
    from.on('data', (chunk) => to.write(chunk)).on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (road.isStalled) from.pause();
  };
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    join(near, far);
    join(far, near);
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const each = (act: (socket: Socket) => void): void => {
    for (const socket of sockets) act(socket);
  };
  return {
    address: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall: () => {
      road.isStalled = true;
      each((socket) => socket.pause());
    },
    go: () => {
      road.isStalled = false;
      each((socket) => socket.resume());
    },
    close: () => {
      server.close();
      each((socket) => socket.destroy());
    },
  };
};
