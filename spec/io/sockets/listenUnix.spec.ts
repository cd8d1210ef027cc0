import { mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom, type Observable, type Subscription } from 'rxjs';
import { listenUnix, type UnixListening } from '../../../src/io/sockets/listenUnix';
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
