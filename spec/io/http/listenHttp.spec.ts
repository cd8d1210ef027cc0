import type { IncomingMessage } from 'node:http';
import { firstValueFrom, Subject, type Subscription } from 'rxjs';
import {
  type HttpInput,
  type HttpOutput,
  hostOf,
  type IncomingRequest,
  type Loopback,
  listenHttp,
  listenLoopback,
  toIncomingRequest,
} from '../../../src/io/http/listenHttp';

const open: Subscription[] = [];

afterEach(() => {
  for (const listening of open.splice(0)) listening.unsubscribe();
});

type Authorize = (incoming: IncomingRequest) => number | 'accepted';

/** A listener at a free port, which answers each request with a given response; `inputs` grow with what it emits. */
const listen = async (respond: (id: number) => HttpOutput[], authorize: Authorize = () => 'accepted') => {
  const inputs: HttpInput[] = [];
  const output$ = new Subject<HttpOutput>();
  const url = await new Promise<string>((resolve, reject) => {
    const listening = output$.pipe(listenHttp({ host: '127.0.0.1', port: 0, authorize })).subscribe({
      next: (input) => {
        inputs.push(input);
        if (input.kind === 'bound') resolve(input.url);
        if (input.kind === 'request') for (const output of respond(input.id)) output$.next(output);
      },
      error: reject,
    });
    open.push(listening);
  });
  return { url, inputs, output$ };
};

const whole = (id: number): HttpOutput[] => [
  { kind: 'head', id, status: 201, headers: { 'x-a': 'b' } },
  { kind: 'text', id, text: 'one ' },
  { kind: 'text', id, text: 'two' },
  { kind: 'end', id },
];

describe('listenHttp', () => {
  it('emits requests with their bodies, and writes responses', async () => {
    const { url, inputs } = await listen(whole);
    const response = await fetch(`${url}/mcp?a=1`, { method: 'POST', body: 'größe' });
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([201, 'b', 'one two']);
    while (inputs.length < 3) await new Promise(setImmediate);
    expect(inputs).toEqual([
      { kind: 'bound', url },
      { kind: 'request', id: 0, method: 'POST', url: '/mcp?a=1', headers: expect.anything(), body: 'größe' },
      { kind: 'closed', id: 0 },
    ]);
  });

  it('emits the end of a request that its client gives up, and drops what comes for it', async () => {
    const { url, inputs, output$ } = await listen((id) => [{ kind: 'head', id, status: 200, headers: {} }]);
    const given = new AbortController();
    await fetch(url, { signal: given.signal });
    given.abort();
    while (inputs.length < 3) await new Promise(setImmediate);
    output$.next({ kind: 'text', id: 0, text: 'late' });
    expect(inputs.at(-1)).toEqual({ kind: 'closed', id: 0 });
  });

  it('answers what is not authorized by itself', async () => {
    const { url, inputs } = await listen(whole, ({ headers }) => (headers.origin === undefined ? 'accepted' : 403));
    const response = await fetch(url, { headers: { origin: 'http://evil.example' } });
    expect([response.status, await response.text(), inputs.length]).toEqual([403, 'Forbidden\n', 1]);
  });

  it('errors when it cannot listen', async () => {
    const { url } = await listen(whole);
    const port = Number(new URL(url).port);
    const error = await new Promise<Error>((resolve) => {
      const deps = { host: '127.0.0.1', port, authorize: () => 'accepted' as const };
      new Subject<HttpOutput>().pipe(listenHttp(deps)).subscribe({ error: resolve });
    });
    expect(error.message).toContain('EADDRINUSE');
  });
});

describe('toIncomingRequest', () => {
  const socket = { remoteAddress: '10.0.0.2', remotePort: 5000, localAddress: '10.0.0.1', localPort: 80 };
  const toRequest = (message: object) => toIncomingRequest(message as IncomingMessage);

  it('has method, path, headers and both ends of the connection', () => {
    expect(toRequest({ method: 'POST', url: '/a?b', headers: { host: 'x' }, socket })).toEqual({
      method: 'POST',
      url: '/a?b',
      headers: { host: 'x' },
      connection: socket,
      from: { address: '10.0.0.2', port: 5000 },
      to: { address: '10.0.0.1', port: 80 },
    });
  });

  it('is blank where Node knows nothing, as of a connection that has closed', () => {
    const nowhere = { address: '', port: 0 };
    expect(toRequest({ headers: {}, socket: {} })).toEqual({
      method: '',
      url: '',
      headers: {},
      connection: {},
      from: nowhere,
      to: nowhere,
    });
  });
});

describe('hostOf', () => {
  it.each([
    ['127.0.0.1', 'IPv4', '127.0.0.1:8080'],
    ['::1', 'IPv6', '[::1]:8080'],
  ])('writes %s of %s as a URL has it: %s', (address, family, expected) => {
    expect(hostOf({ address: () => ({ address, family, port: 8080 }) })).toBe(expected);
  });
});

describe('listenLoopback', () => {
  const listen = (port = 0): Promise<Loopback & { stop: () => void }> =>
    new Promise((resolve, reject) => {
      const listening = listenLoopback(port).subscribe({
        next: (loopback) => resolve({ ...loopback, stop: () => listening.unsubscribe() }),
        error: reject,
      });
      open.push(listening);
    });
  const headers = { connection: 'close', 'x-a': 'b' };

  it('emits requests, and answers each as it is given', async () => {
    const { port, request$ } = await listen();
    const seen: unknown[] = [];
    request$.subscribe(({ request: { method, url, headers: sent }, respond }) => {
      seen.push([method, url, sent['x-own']]);
      respond({ status: 418, headers, text: 'größe' });
    });
    const response = await fetch(`http://127.0.0.1:${port}/a?b=1`, { method: 'PUT', headers: { 'x-own': 'yes' } });
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([418, 'b', 'größe']);
    expect(seen).toEqual([['PUT', '/a?b=1', 'yes']]);
  });

  it('listens no more once it is unsubscribed; a response that is under way arrives', async () => {
    const { port, request$, stop } = await listen();
    const url = `http://127.0.0.1:${port}/`;
    const incoming = firstValueFrom(request$);
    const text = fetch(url).then((response) => response.text());
    const { respond } = await incoming;
    stop();
    respond({ status: 200, headers, text: 'late' });
    expect(await text).toBe('late');
    await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('errors where another listens', async () => {
    const { port } = await listen();
    await expect(listen(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
