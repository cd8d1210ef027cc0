import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  concat,
  defer,
  firstValueFrom,
  lastValueFrom,
  map,
  NEVER,
  of,
  Subject,
  type Subscription,
  toArray,
} from 'rxjs';
import { WebSocket, WebSocketServer } from 'ws';
import type { IncomingRequest } from '../../../src/io/http/listenHttp';
import {
  type Caller,
  type DialDeps,
  dialSocket,
  isThere,
  type ListenDeps,
  listenSocket,
} from '../../../src/io/sockets/dialSocket';
import { noBackpressure } from '../../../src/streams/backpressure';
import { marbles } from '../../support/marbles';
import { emitAt, fakeSocket } from '../../support/sockets';

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

const running: { listening: Subscription; sockets: WebSocket[] }[] = [];

afterEach(() => {
  for (const { listening, sockets } of running.splice(0)) {
    listening.unsubscribe();
    for (const socket of sockets) socket.terminate();
  }
});

/** A listener at a free port; `visits` and `callers` grow with those that come. */
const listen = async (own: Partial<ListenDeps> = {}) => {
  const visits: IncomingRequest[] = [];
  const callers: Caller[] = [];
  const sockets: WebSocket[] = [];
  const deps: ListenDeps = {
    host: '127.0.0.1',
    port: 0,
    authorize: (incoming) => {
      visits.push(incoming);
      return 'accepted';
    },
    maxSockets: 2,
    maxMessageBytes: 100,
    pingMs: 60_000,
    ...own,
  };
  const url = await new Promise<string>((resolve, reject) => {
    const listening = listenSocket(deps).subscribe({
      next: (one) => (one.kind === 'bound' ? resolve(one.url) : callers.push(one.caller)),
      error: reject,
    });
    running.push({ listening, sockets });
  });
  const dial = () => {
    const socket = new WebSocket(url);
    sockets.push(socket);
    return socket;
  };
  return { url, dial, visits, callers };
};

const opened = async (socket: WebSocket) => {
  await once(socket, 'open');
  return socket;
};

describe('listenSocket', () => {
  it('emits its address, then each accepted connection with what is read and written', async () => {
    const { url, dial, visits, callers } = await listen();
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
    const socket = await opened(dial());
    const [caller] = callers as [Caller];
    const [{ from, to, connection: _, ...incoming }] = visits as [IncomingRequest];
    expect(incoming).toEqual({
      upgrade: true,
      method: 'GET',
      url: '/',
      headers: expect.objectContaining({ upgrade: 'websocket' }),
    });
    expect([caller.address, `ws://${to.address}:${to.port}`]).toEqual([`${from.address}:${from.port}`, url]);
    const read = firstValueFrom(caller.text$(noBackpressure).pipe(toArray()));
    const received = once(socket, 'message');
    socket.send('in');
    firstValueFrom(
      caller.isThere().pipe(
        map(() => ({ kind: 'text' as const, text: 'out' })),
        caller.write,
      ),
      {
        defaultValue: undefined,
      },
    );
    expect(String((await received)[0])).toBe('out');
    expect(await read).toEqual(['in']);
    expect(caller.queue(10).isFull()).toBe(false);
  });

  it('answers a request without an upgrade, and one that is not authorized, by a status', async () => {
    const { url } = await listen();
    expect((await fetch(url.replace('ws', 'http'))).status).toBe(400);
    const refusing = await listen({ authorize: ({ upgrade }) => (upgrade ? 403 : 401) });
    expect((await fetch(refusing.url.replace('ws', 'http'))).status).toBe(401);
    const [error] = await once(refusing.dial(), 'error');
    expect(error.message).toBe('Unexpected server response: 403');
  });

  it('refuses one connection too many with 503, and takes another once one has closed', async () => {
    const { dial, callers } = await listen({ maxSockets: 1 });
    const first = await opened(dial());
    const [error] = await once(dial(), 'error');
    expect(error.message).toBe('Unexpected server response: 503');
    first.close();
    await once(first, 'close');
    await opened(dial());
    expect(callers).toHaveLength(2);
  });

  it('closes with 1009 after a message that is too long', async () => {
    const { dial, callers } = await listen({ maxMessageBytes: 3 });
    const socket = await opened(dial());
    const read = firstValueFrom((callers[0] as Caller).text$(noBackpressure).pipe(toArray()));
    socket.send('four');
    expect((await once(socket, 'close'))[0]).toBe(1009);
    expect(await read).toEqual([]);
  });

  it('errors when it cannot listen', async () => {
    const { url } = await listen();
    await expect(listen({ port: Number(new URL(url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('stops listening when it is unsubscribed; connections stay', async () => {
    const { dial } = await listen();
    const socket = await opened(dial());
    running[0]?.listening.unsubscribe();
    const [error] = await once(dial(), 'error');
    expect([error.code, socket.readyState]).toEqual(['ECONNREFUSED', WebSocket.OPEN]);
  });

  it('writes the address of IPv6 in brackets', async () => {
    expect((await listen({ host: '::1' })).url).toMatch(/^ws:\/\/\[::1\]:\d+$/);
  });
});

describe('isThere', () => {
  it.each([
    ['pong', '---t', '---(T|)'],
    ['message', '---t', '---(T|)'],
    ['close', '---t', '---(F|)'],
    ['ping', '---t', '1s (F|)'],
  ])('takes a %s for an answer, or not', (event, at, expected) =>
    marbles(({ hot, expectObservable, flush }) => {
      const { done, socket, own } = fakeSocket();
      hot(at).pipe(emitAt(socket, event)).subscribe();
      expectObservable(isThere(own)).toBe(expected, { T: true, F: false });
      flush();
      expect(done).toEqual(['ping']);
    })(),
  );
});
