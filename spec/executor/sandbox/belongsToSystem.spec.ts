/** Real files. Root may write anywhere, but where a disk is read-only. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { belongsToSystem, hasSystemLinks } from '../../../src/executor/sandbox/belongsToSystem';

describe('belongsToSystem', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-system-')));
  afterAll(() => rmSync(base, { recursive: true }));

  it('is false for what this user owns, also if it is read-only, and for what is not there', () => {
    mkdirSync(join(base, 'bin'));
    chmodSync(join(base, 'bin'), 0o555);
    expect([base, join(base, 'bin'), join(base, 'none'), 'relative', ''].map(belongsToSystem)).toEqual(
      Array(5).fill(false),
    );
  });

  it('is true for the folders of the system, unless this user is root', () => {
    const isRoot = process.getuid?.() === 0;
    expect(belongsToSystem(realpathSync('/usr/bin'))).toBe(!isRoot);
  });
});

describe('hasSystemLinks', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-system-')));
  afterAll(() => rmSync(base, { recursive: true }));

  it('is true without links, and for links of the system, unless this user is root', () => {
    const isRoot = process.getuid?.() === 0;
    expect(hasSystemLinks(base)).toBe(true);
    expect(hasSystemLinks('/bin')).toBe(!isRoot || realpathSync('/bin') === '/bin'); // a link in most distributions
  });

  it('is false for a link of this user, and where nothing is', () => {
    symlinkSync('.', join(base, 'link'));
    expect([join(base, 'link'), join(base, 'link/link'), join(base, 'none')].map(hasSystemLinks)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
