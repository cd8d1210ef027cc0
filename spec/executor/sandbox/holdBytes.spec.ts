/** Real files, in a folder of their own. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holdBytes } from '../../../src/executor/sandbox/holdBytes';
import { SandboxError } from '../../../src/executor/sandbox/sandbox';

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
