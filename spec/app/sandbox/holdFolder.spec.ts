import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { holdFolder } from '../../../src/app/sandbox';
import { removeFolder } from '../../support/files';

describe('holdFolder', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-hold-')));
  const [folder, other] = [join(root, 'folder'), join(root, 'other')];
  beforeAll(() => {
    mkdirSync(join(folder, 'in'), { recursive: true });
    mkdirSync(join(other, 'in'), { recursive: true });
    symlinkSync(folder, join(root, 'link'));
  });
  afterAll(() => removeFolder(root));

  it.each(['linux', 'darwin'])('finds no folder behind a link, nor where none is, on %s', async (platform) => {
    const hold = holdFolder({ platform, pid: process.pid });
    const held = ['link', 'link/in', 'none'].map((name) => firstValueFrom(hold(join(root, name))));
    expect(await Promise.all(held)).toEqual([undefined, undefined, undefined]);
    const found = await firstValueFrom(hold(join(folder, 'in')));
    expect(found).toBeDefined();
    found?.release();
  });

  it('holds the folder that was there, whatever takes its place', async () => {
    const held = await firstValueFrom(holdFolder({ platform: 'linux', pid: process.pid })(join(folder, 'in')));
    renameSync(folder, join(root, 'moved'));
    symlinkSync(other, folder);
    const cwd = execFileSync('/bin/pwd', ['-P'], { cwd: held?.path, encoding: 'utf8' }).trim();
    held?.release();
    expect(cwd).toBe(join(root, 'moved/in'));
  });
});
