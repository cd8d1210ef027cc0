/** Real files. Root may write anywhere, but where a disk is read-only. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSealed } from '../../../src/executor/sandbox/isSealed';

describe('isSealed', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-sealed-')));
  afterAll(() => rmSync(base, { recursive: true }));

  it('is false for what this user owns, also if it is read-only, and for what is not there', () => {
    mkdirSync(join(base, 'bin'));
    chmodSync(join(base, 'bin'), 0o555);
    expect([base, join(base, 'bin'), join(base, 'none'), 'relative', ''].map(isSealed)).toEqual(Array(5).fill(false));
  });

  it('is true for the folders of the system, unless this user is root', () => {
    const isRoot = process.getuid?.() === 0;
    expect(isSealed(realpathSync('/usr/bin'))).toBe(!isRoot);
  });
});
