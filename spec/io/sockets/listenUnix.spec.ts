import { mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom, type Observable, type Subscription } from 'rxjs';
import { isLoopback, listenUnix, toListenAddress, type UnixListening } from '../../../src/io/sockets/listenUnix';
import { removeFolder } from '../../support/files';

describe('listenUnix', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codex-rx-unix-'));
  const path = join(folder, 's');
  const open: Subscription[] = [];
  afterAll(() => {
    for (const one of open) one.unsubscribe();
    return removeFolder(folder);
  });

  /** Leaves a socket behind, as a server does that is killed: its file is moved away while the server removes its name. */
  const abandon = async (): Promise<void> => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(path, done));
    renameSync(path, `${path}.kept`);
    await new Promise((done) => server.close(done));
    renameSync(`${path}.kept`, path);
  };

  /** How a start ends: that it listens, or the error. */
  const outcome = (listening$: Observable<UnixListening>): Promise<string> =>
    new Promise((done) => {
      open.push(listening$.subscribe({ next: ({ kind }) => done(kind), error: (error) => done(error.message) }));
    });

  it('replaces an abandoned socket once, of however many that find it at the same time', async () => {
    await abandon();
    const starters = Array.from({ length: 8 }, () => outcome(listenUnix({ path, maxSockets: 1 })));
    const outcomes = await Promise.all(starters);
    expect(outcomes.filter((one) => one === 'bound')).toHaveLength(1);
    expect(outcomes.filter((one) => one.includes('another program listens there'))).toHaveLength(7);
    expect(readdirSync(folder)).toEqual(['s']);
    await expect(firstValueFrom(listenUnix({ path, maxSockets: 1 }))).rejects.toThrow('another program listens there');
  });
});

describe('toListenAddress', () => {
  it.each([
    ['stdio', 'stdio'],
    ['stdio://', 'stdio'],
    ['ws://127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['ws://[::1]:4500', { host: '::1', port: 4500 }],
    ['ws://0.0.0.0:65535/', { host: '0.0.0.0', port: 65_535 }],
    ['unix:///run/x', { path: '/run/x' }],
  ])('reads %s', (listen, address) => {
    expect(toListenAddress(listen)).toEqual(address);
  });

  it.each([
    'ws://localhost:0',
    'ws://127.0.0.1',
    'ws://127.0.0.1:65536',
    'ws://127.0.0.1:x',
    'ws://::1:1',
    'ws://[127.0.0.1]:1',
    'ws://1.2.3.4.5:1',
    'ws://127.0.0.1:1/path',
    'wss://127.0.0.1:1',
    'http://127.0.0.1:1',
    'unix://x',
    '',
  ])('refuses %s', (listen) => {
    expect(() => toListenAddress(listen)).toThrow(`--listen must be stdio, ws://IP:PORT, such as`);
  });
});

describe('isLoopback', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.5', false],
    ['12.7.0.1', false],
  ])('reads %s: %s', (host, answer) => {
    expect(isLoopback({ host, port: 1 })).toBe(answer);
  });
});
