import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { filesHere } from '../../../src/app/files';
import { openFolder, removeFolders } from '../../support/files';

afterAll(removeFolders);

describe('filesHere', () => {
  it('takes over the lock of a process that was killed, and of none that lives', async () => {
    const path = join(openFolder(), 'x.lock');
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    const ended = new Promise((done) => child.once('exit', done));
    const [own, other] = [process.pid, child.pid ?? 0].map((pid) => filesHere(join(path, '..'), pid));
    expect(other?.files.lock(path).kind).toBe('locked');
    expect(own?.files.lock(path)).toEqual({ kind: 'taken', holder: other?.self, path });
    child.kill('SIGKILL');
    await ended;
    expect(own?.files.lock(path).kind).toBe('locked');
    expect(JSON.parse(fs.readFileSync(path, 'utf8'))).toEqual(own?.self);
  });
});
