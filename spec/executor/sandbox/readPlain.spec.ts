/** Real files, pipes and devices. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPlain, isScarce, readPlain } from '../../../src/executor/sandbox/readPlain';

describe('readPlain', () => {
  const base = mkdtempSync(join(tmpdir(), 'codex-rx-plain-'));
  const at = (name: string) => join(base, name);
  beforeAll(() => {
    mkdirSync(at('folder'));
    for (const name of ['file', 'long']) writeFileSync(at(name), 'text');
    truncateSync(at('long'), 67_108_865);
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('file', at('link'));
    symlinkSync('pipe', at('toPipe'));
    symlinkSync('/dev/zero', at('device'));
    symlinkSync('loop', at('loop'));
  });
  afterAll(() => rmSync(base, { recursive: true }));

  it.each<[string, boolean, string | undefined]>([
    ['file', true, 'text'],
    ['link', true, 'text'],
    ['folder', true, undefined],
    ['nothing', true, undefined],
    ['file/below', true, undefined],
    ['loop', true, undefined],
    ['long', false, undefined],
    ['pipe', false, undefined],
    ['toPipe', false, undefined],
    ['device', false, undefined],
  ])('finds out at once whether %s is plain, and reads it only then', (name, plain, text) => {
    expect([isPlain(at(name)), readPlain(at(name))?.toString()]).toEqual([plain, text]);
  });

  it('reads what the kernel writes, which has no length', () => {
    expect(readPlain('/proc/self/mountinfo')?.toString()).toContain(' / ');
  });
});

describe('isScarce', () => {
  it.each([
    ['EMFILE', true],
    ['ENFILE', true],
    ['ENOENT', false],
    [undefined, false],
  ])('of %s is %s', (code, is) => {
    expect(isScarce(Object.assign(new Error('no'), { code }))).toBe(is);
  });
});
