import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { filesHere } from '../../../src/io/disk/filesHere';
import { ownersHere } from '../../../src/io/disk/ownersHere';
import { openFolder, removeFolders } from '../../support/files';

afterAll(removeFolders);

describe('filesHere', () => {
  it('takes over the lock of a process that was killed, and of none that lives', async () => {
    const home = openFolder();
    const path = join(home, 'x.lock');
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    const ended = new Promise((done) => child.once('exit', done));
    const { files, owners } = filesHere(home);
    const place = { folder: home, sockets: join(home, 'none') };
    const { socket: _, ...other } = ownersHere(place, child.pid).self();
    fs.writeFileSync(path, JSON.stringify(other));
    expect(files.lock(path)).toMatchObject({ kind: 'taken', holder: other, state: 'lives' });
    child.kill('SIGKILL');
    await ended;
    expect(files.lock(path).kind).toBe('locked');
    expect(JSON.parse(fs.readFileSync(path, 'utf8'))).toEqual(owners.self());
    expect(files.lock(path)).toMatchObject({ kind: 'taken', state: 'self' });
  });
});
