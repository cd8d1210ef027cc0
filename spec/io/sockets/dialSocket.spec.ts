import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { concat, defer, firstValueFrom, lastValueFrom, NEVER, of, Subject, toArray } from 'rxjs';
import { type WebSocket, WebSocketServer } from 'ws';
import { type DialDeps, dialSocket } from '../../../src/io/sockets/dialSocket';
import { noBackpressure } from '../../../src/streams/backpressure';

const open: WebSocketServer[] = [];

/** A server that does `act` with each connection. */
const serve = async (act: (socket: WebSocket, request: IncomingMessage) => void) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  open.push(server);
  server.on('connection', act);
  await once(server, 'listening');
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

afterEach(() => {
  for (const server of open.splice(0)) {
    for (const client of server.clients) client.terminate();
    server.close();
  }
});

const dial = (url: string, own: Partial<DialDeps> = {}) => dialSocket({ url, backpressure: noBackpressure, ...own });
const open$ = (...texts: string[]) => concat(of(...texts), NEVER);

describe('dialSocket', () => {
  it('sends texts with the headers of the handshake, emits those of the server, completes when it is lost', async () => {
    const seen: unknown[] = [];
    const url = await serve((socket, { headers }) => {
      seen.push(headers['x-a'], headers['sec-websocket-extensions']);
      socket.on('message', (data) => {
        seen.push(String(data));
        socket.send(`re ${data}`, () => String(data) === 'two' && socket.terminate());
      });
    });
    const in$ = open$('one', 'two').pipe(dial(url, { headers: { 'X-A': 'b' } }), toArray());
    expect(await lastValueFrom(in$)).toEqual(['re one', 're two']);
    expect(seen).toEqual(['b', undefined, 'one', 'two']);
  });

  it('closes the connection when the texts end, and when it is unsubscribed', async () => {
    const codes: Promise<unknown[]>[] = [];
    const url = await serve((socket) => codes.push(once(socket, 'close')));
    expect(await lastValueFrom(of('one').pipe(dial(url), toArray()))).toEqual([]);
    const isOpen = new Subject<void>();
    const opened = firstValueFrom(isOpen);
    const running = defer(() => {
      isOpen.next();
      return NEVER;
    })
      .pipe(dial(url))
      .subscribe();
    await opened;
    running.unsubscribe();
    expect((await Promise.all(codes)).map(([code]) => code)).toEqual([1000, 1000]);
  });

  it.each([
    [1000, 'done', undefined],
    [1001, '', undefined],
    [1011, 'broken', 'the connection was closed: 1011 broken'],
    [4000, '', 'the connection was closed: 4000'],
  ])('ends with what a close by %i %j means', async (code, reason, error) => {
    const url = await serve((socket) => socket.close(code, reason));
    const end = lastValueFrom(NEVER.pipe(dial(url), toArray())).catch(({ message }) => message);
    expect(await end).toEqual(error ?? []);
  });

  it('errors when nobody listens, and names the address', async () => {
    await expect(lastValueFrom(NEVER.pipe(dial('ws://127.0.0.1:1')))).rejects.toThrow(
      /^ws:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
    await expect(lastValueFrom(NEVER.pipe(dial('ws://user:pass@127.0.0.1:1/?token=t')))).rejects.toThrow(
      /^ws:\/\/\[redacted\]@127\.0\.0\.1:1\/\?token=\[redacted\]: /,
    );
  });

  it('errors when the server does not answer in time, and gives the attempt up when it is unsubscribed', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => {}).resume())).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `ws://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await expect(lastValueFrom(NEVER.pipe(dial(url, { connectMs: 20 })))).rejects.toThrow('handshake has timed out');
    const attempt = NEVER.pipe(dial(url)).subscribe({ error: () => {} });
    while (sockets.length < 2) await new Promise(setImmediate);
    attempt.unsubscribe();
    await once(sockets[1] as Socket, 'close');
    silent.close();
  });
});
