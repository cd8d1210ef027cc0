/** Real files, in a folder of their own. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pinPath } from '../../../src/executor/sandbox/handles';
import { SandboxError } from '../../../src/executor/sandbox/sandbox';

describe('pinPath', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-held-')));
  const at = (name: string) => join(base, name);
  beforeAll(() => {
    mkdirSync(at('folder'));
    writeFileSync(at('folder/in'), '');
    symlinkSync('folder', at('link'));
  });
  afterAll(() => rmSync(base, { recursive: true }));

  it('names what is open, for other processes too', () => {
    const held = pinPath()(at('folder'));
    expect(held).toEqual({
      path: expect.stringMatching(/^\/proc\/\d+\/fd\/\d+$/),
      opens: true,
      release: expect.any(Function),
    });
    expect(readdirSync(held?.path ?? '')).toEqual(['in']);
    held?.release();
    expect([pinPath()(at('link')), pinPath()(at('nothing'))]).toEqual([undefined, undefined]);
  });

  it.each([
    ['no /proc', undefined],
    ['a /proc in which its number is another process', '/proc/1'],
  ])('holds nothing with %s, and names the cause', (_, entry) => {
    const pin = pinPath(() => entry);
    const before = readdirSync('/proc/self/fd').length;
    expect(() => pin(at('folder'))).toThrow(SandboxError);
    expect(() => pin(at('folder'))).toThrow(/^\/proc is not there, or does not show this process/);
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
  });
});
