import { firstValueFrom, type Subscription } from 'rxjs';
import { type Loopback, listenLoopback } from '../../../src/io/http/listenLoopback';

const open: Subscription[] = [];
afterEach(() => {
  for (const listening of open.splice(0)) listening.unsubscribe();
});

const listen = (port = 0): Promise<Loopback & { stop: () => void }> =>
  new Promise((resolve, reject) => {
    const listening = listenLoopback(port).subscribe({
      next: (loopback) => resolve({ ...loopback, stop: () => listening.unsubscribe() }),
      error: reject,
    });
    open.push(listening);
  });

const headers = { connection: 'close', 'x-a': 'b' };

describe('listenLoopback', () => {
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
