/** Servers behind an exec-server that write while the connection is cut: what is held back, and what is lost if nothing is. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom, type Observable, type Subscription } from 'rxjs';
import type { Backend } from '../../../src/executor/backend';
import { childTransport } from '../../../src/executor/processTransport';
import { overWebSocket } from '../../../src/executor/remote/execTransport';
import { remoteBackend } from '../../../src/executor/remote/remoteBackend';
import { dialSocket } from '../../../src/io/sockets/dialSocket';
import { silentLog } from '../../../src/protocol/log';
import { openPeer } from '../../../src/protocol/rpc/openPeer';
import { noBackpressure } from '../../../src/streams/backpressure';
import { endExecServers, listenExecServer, openRoad } from '../../support/exec/execSocket';
import { openHome, removeHomes } from '../../support/home';
import { until } from '../../support/processes';

const running: Subscription[] = [];
const roads: Awaited<ReturnType<typeof openRoad>>[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) one.unsubscribe();
  await new Promise((wake) => setTimeout(wake, 50)); // for the end of the server to be requested
  for (const road of roads.splice(0)) road.close();
});
afterAll(endExecServers);
afterAll(removeHomes);

const LINES = 4_000;

/** A server that answers each request once it may, after 4 MB of notifications, and notes when all of that is written. */
const FLOOD = `
const { existsSync, writeFileSync, writeSync } = require('node:fs');
const line = JSON.stringify({ jsonrpc: '2.0', method: 'progress', params: { text: 'x'.repeat(1000) } }) + '\\n';
const write = (text) => { for (let at = 0; at < text.length; ) try { at += writeSync(1, text.slice(at)); } catch (e) { if (e.code !== 'EAGAIN') throw e; } };
process.stdin.on('data', (data) => {
  const { id } = JSON.parse(data);
  writeFileSync(process.argv[1] + '.asked', '');
  const looking = setInterval(() => {
    if (!existsSync(process.argv[1] + '.may')) return;
    clearInterval(looking);
    for (let n = 0; n < ${LINES}; n += 1) write(line);
    write(JSON.stringify({ jsonrpc: '2.0', id, result: { done: true } }) + '\\n');
    writeFileSync(process.argv[1] + '.written', '');
  }, 20);
});
`;

/** A server whose connection is cut once it has the request; `result` settles with its response. */
const flooded = async (change: (backend: Backend) => Backend) => {
  const { url } = await listenExecServer();
  const road = await openRoad(url);
  roads.push(road);
  const dial = (text$: Observable<string>) => text$.pipe(dialSocket({ url: road.url, backpressure: noBackpressure }));
  const transport = overWebSocket({ dial, url: road.url });
  const backend = remoteBackend({
    transport,
    clientName: 'spec',
    log: silentLog,
    clockMs: () => performance.now(),
    idleMs: 0,
    reconnectForMs: 20_000,
  });
  const note = join(openHome().path, 'note');
  const server = childTransport({
    backend: change(backend),
    command: [process.execPath, '-e', FLOOD, note],
    cwd: '/',
    env: {},
    log: silentLog,
    title: 'The server',
    program: 'server',
  });
  const seen = { notifications: 0 };
  const result = new Promise<unknown>((resolve) => {
    running.push(
      openPeer({ transport: server, name: 'the server' }).subscribe({
        next: (peer) => {
          running.push(peer.notifications$.subscribe({ next: () => (seen.notifications += 1), error: () => {} }));
          resolve(firstValueFrom(peer.request('flood', {})));
        },
        error: resolve,
      }),
    );
  });
  const asked = result.catch(() => {});
  await until(() => existsSync(`${note}.asked`), 'the request to arrive');
  road.block();
  writeFileSync(`${note}.may`, '');
  void asked;
  return { result, seen, road, hasWritten: () => existsSync(`${note}.written`) };
};

describe('a server that writes while its connection is cut', () => {
  it('waits, and nothing of it is lost', async () => {
    const { result, seen, road, hasWritten } = await flooded((backend) => backend);
    await new Promise((wake) => setTimeout(wake, 1_200));
    expect(hasWritten()).toBe(false);
    road.unblock();
    expect(await result).toEqual({ done: true });
    expect(seen.notifications).toBe(LINES);
  });

  it('fails the open request at once with the number of bytes lost if the executor holds nothing back', async () => {
    const { result, road, hasWritten } = await flooded(({ start }) => ({
      start: ({ holdOutput: _, ...spec }) => start(spec),
    }));
    await until(hasWritten, 'all to be written');
    const unblockedAt = performance.now();
    road.unblock();
    await expect(result).rejects.toThrow(/\d{7} bytes/);
    expect(performance.now() - unblockedAt).toBeLessThan(10_000);
  });
});
