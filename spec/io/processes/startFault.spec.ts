import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFault } from '../../../src/io/processes/startFault';

const root = mkdtempSync(join(tmpdir(), 'codex-rx-'));
mkdirSync(join(root, 'bin'));
writeFileSync(join(root, 'bin/text'), '', { mode: 0o600 });
afterAll(() => rmSync(root, { recursive: true }));

const errorOf = (code: string) => Object.assign(new Error(`spawn ${code}`), { code });
const codeOf = (code: string, program: string, path: string | undefined = `/no/such:${root}/bin`) =>
  startFault(errorOf(code), { program, path, cwd: root }).code;

describe('the error of a start', () => {
  it.each([
    ['a name that no folder of PATH has', 'missing', 'ENOENT'],
    ['a name that a folder of PATH has', 'text', 'EACCES'],
    ['a path, which is not looked for', './missing', 'EACCES'],
  ])('is, for %s, %s → %s', (_, program, code) => {
    expect(codeOf('EACCES', program)).toBe(code);
  });

  it('looks in relative and empty places of PATH from the folder of the start', () => {
    expect(codeOf('EACCES', 'text', 'bin')).toBe('EACCES');
    expect(codeOf('EACCES', 'bin', ':/no/such')).toBe('EACCES');
  });

  it('looks in the usual folders if there is no PATH', () => {
    expect(startFault(errorOf('EACCES'), { program: 'sh', cwd: root }).code).toBe('EACCES');
    expect(startFault(errorOf('EACCES'), { program: 'no-such-program-anywhere', cwd: root }).code).toBe('ENOENT');
  });

  it('stays what it is for every other code', () => {
    expect(codeOf('EMFILE', 'missing')).toBe('EMFILE');
  });
});
