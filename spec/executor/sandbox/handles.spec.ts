/** Real files, in a folder of their own. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdBytes, pinPath } from '../../../src/executor/sandbox/handles';
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

describe('holdBytes', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-held-')));
  afterAll(() => rmSync(base, { recursive: true }));
  const bytes = Buffer.from('kept\0bytes');

  it('keeps bytes where no name leads to them', () => {
    const { path, release } = holdBytes({ folders: [base] })(bytes);
    expect([readFileSync(path, 'latin1'), readdirSync(base)]).toEqual(['kept\0bytes', []]);
    release();
    expect(() => readFileSync(path)).toThrow('ENOENT');
  });

  it.each([
    ['that names nothing', join(base, 'nothing')],
    ['that is below a file', join(__filename, 'below')],
    ['in which nothing can be made, not even by root', '/proc'],
    ['that is full', '/dev/full'],
  ])('passes over a folder %s', (_, folder) => {
    const { path, release } = holdBytes({ folders: [folder, base] })(bytes);
    expect(readFileSync(path, 'latin1')).toBe('kept\0bytes');
    release();
  });

  it('names the folders if none can be used, and no other remedy', () => {
    const folders = [join(base, 'nothing'), '/proc'];
    const hold = () => holdBytes({ folders })(bytes);
    expect(hold).toThrow(SandboxError);
    expect(hold).toThrow(
      /^no folder takes its temporary files: \S+\/nothing, \/proc were tried \(ENOENT: .*\); make one of them writable, or set TMPDIR to a folder that is$/,
    );
  });
});
