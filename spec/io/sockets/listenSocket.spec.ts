import { once } from 'node:events';
import { firstValueFrom, map, type Subscription, toArray } from 'rxjs';
import { WebSocket } from 'ws';
import type { IncomingRequest } from '../../../src/io/http/listenHttp';
import { type Caller, isThere, type ListenDeps, listenSocket } from '../../../src/io/sockets/listenSocket';
import { noBackpressure } from '../../../src/streams/backpressure';
import { marbles } from '../../support/marbles';
import { emitAt, fakeSocket } from '../../support/sockets';

const open: { listening: Subscription; sockets: WebSocket[] }[] = [];

afterEach(() => {
  for (const { listening, sockets } of open.splice(0)) {
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
    open.push({ listening, sockets });
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
    open[0]?.listening.unsubscribe();
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
