import { Subject, type Subscription } from 'rxjs';
import type { IncomingRequest } from '../../../src/io/http/incomingRequest';
import { type HttpInput, type HttpOutput, listenHttp } from '../../../src/io/http/listenHttp';

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
