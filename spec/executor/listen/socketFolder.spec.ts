import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSocketFolder } from '../../../src/executor/listen/socketFolder';

describe('checkSocketFolder', () => {
  it.each<[number, boolean]>([
    [0o700, true],
    [0o755, true],
    [0o1777, true],
    [0o777, false],
    [0o770, false],
  ])('checks a folder of mode %o', (mode, isSafe) => {
    const folder = mkdtempSync(join(tmpdir(), 'codex-rx-'));
    chmodSync(folder, mode);
    const check = () => checkSocketFolder(join(folder, 'socket'));
    if (isSafe) expect(check).not.toThrow();
    else
      expect(check).toThrow(`Other users can replace a socket in ${folder}; name a folder of your own with mode 0700`);
    rmSync(folder, { recursive: true });
  });
});
