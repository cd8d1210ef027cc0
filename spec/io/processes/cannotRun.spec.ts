import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cannotRun } from '../../../src/io/processes/cannotRun';

const root = mkdtempSync(join(tmpdir(), 'codex-rx-'));
mkdirSync(join(root, 'bin/folder'), { recursive: true });
writeFileSync(join(root, 'bin/prog'), '', { mode: 0o700 });
writeFileSync(join(root, 'bin/text'), '', { mode: 0o600 });
afterAll(() => rmSync(root, { recursive: true }));

const PATH = `/no/such:${root}/bin`;
const DENIED = 'Permission denied (os error 13)';
const MISSING = 'No such file or directory (os error 2)';

describe('cannotRun', () => {
  it.each<[string[], string | undefined]>([
    [['prog', 'a'], undefined],
    [[`${root}/bin/prog`], undefined],
    [['bin/prog'], undefined],
    [[], 'command args are empty'],
    [[''], 'command args are empty'],
    [['prog', 'a\0'], 'the command must be without null bytes'],
    [['missing'], `missing: ${MISSING}`],
    [['text'], `text: ${DENIED}`],
    [['folder'], `folder: ${DENIED}`],
    [['./prog'], `./prog: ${MISSING}`],
  ])('of %j is %j', (argv, reason) => {
    expect(cannotRun({ argv, cwd: root, env: { PATH } })).toBe(reason);
  });

  it('looks in the folder itself for an empty place of PATH', () => {
    expect(cannotRun({ argv: ['prog'], cwd: `${root}/bin`, env: { PATH: '/no/such:' } })).toBeUndefined();
  });

  it('names a folder that is not there, whatever the program', () => {
    const reason = `working directory ${root}/no: ${MISSING}`;
    expect(cannotRun({ argv: ['prog'], cwd: `${root}/no`, env: { PATH } })).toBe(reason);
  });
});
