import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { holdFolder } from '../../../src/executor/sandbox/handles';
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

  const none = () => undefined;
  it.each([
    ['Linux', holdFolder({ platform: 'linux' })],
    ['Linux without /proc', holdFolder({ platform: 'linux', proc: none })],
    ['macOS', holdFolder({ platform: 'darwin' })],
  ])('finds no folder behind a link, nor where none is, on %s', async (_, hold) => {
    const held = ['link', 'link/in', 'none'].map((name) => firstValueFrom(hold(join(root, name))));
    expect(await Promise.all(held)).toEqual([undefined, undefined, undefined]);
    const found = await firstValueFrom(hold(join(folder, 'in')));
    expect(found).toBeDefined();
    found?.release();
  });

  it('names it without a number: in a PID namespace with the /proc of outside the number is that of another process', async () => {
    const held = await firstValueFrom(holdFolder({ platform: 'linux', proc: () => '/proc/1' })(join(other, 'in')));
    const cwd = execFileSync('/bin/pwd', ['-P'], { cwd: held?.path, encoding: 'utf8' }).trim();
    held?.release();
    expect([held?.path, cwd]).toEqual([expect.stringMatching(/^\/proc\/self\/fd\/\d+$/), join(other, 'in')]);
  });

  it('holds the folder that was there, whatever takes its place', async () => {
    const held = await firstValueFrom(holdFolder({ platform: 'linux' })(join(folder, 'in')));
    renameSync(folder, join(root, 'moved'));
    symlinkSync(other, folder);
    const cwd = execFileSync('/bin/pwd', ['-P'], { cwd: held?.path, encoding: 'utf8' }).trim();
    held?.release();
    expect(cwd).toBe(join(root, 'moved/in'));
  });
});
