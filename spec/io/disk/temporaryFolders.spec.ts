import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder, temporaryPlaces } from '../../../src/io/disk/temporaryFolders';
import { isWritableFolder } from '../../../src/io/paths/look';

describe('temporary folders', () => {
  const base = mkdtempSync(join(tmpdir(), 'codex-rx-temporary-'));
  afterAll(() => rmSync(base, { recursive: true }));

  it('begin with TMPDIR; those of the system come after it', () => {
    expect([temporaryPlaces(base)[0], temporaryFolder(base)]).toEqual([base, base]);
    expect(temporaryPlaces('/tmp').filter((path) => path === '/tmp')).toEqual(['/tmp']);
    expect(temporaryPlaces()).toContain(tmpdir());
  });

  it('do without a TMPDIR that names nothing', () => {
    const nothing = join(base, 'nothing');
    expect(temporaryPlaces(nothing)).toContain(nothing);
    expect(temporaryFolder(nothing)).toBe('/tmp');
  });

  it('take files if this user may make them there, also if it may not list them', () => {
    writeFileSync(join(base, 'file'), '');
    chmodSync(join(base, 'file'), 0o700);
    chmodSync(base, 0o300);
    const paths = [base, join(base, 'file'), join(base, 'file/below'), '/proc/self/nothing'];
    expect(paths.map(isWritableFolder)).toEqual([true, false, false, false]);
    chmodSync(base, 0o700);
  });
});
