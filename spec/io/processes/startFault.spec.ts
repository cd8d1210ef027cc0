import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cannotRun, failureReason, startFault } from '../../../src/io/processes/startFault';

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

describe('cannotRun', () => {
  mkdirSync(join(root, 'bin/folder'), { recursive: true });
  writeFileSync(join(root, 'bin/prog'), '', { mode: 0o700 });
  const PATH = `/no/such:${root}/bin`;
  const DENIED = 'Permission denied (os error 13)';
  const MISSING = 'No such file or directory (os error 2)';

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

describe('failureReason', () => {
  const folder = mkdtempSync(join(tmpdir(), 'codex-rx-'));
  writeFileSync(join(folder, 'prog'), '', { mode: 0o700 });
  writeFileSync(join(folder, 'text'), '', { mode: 0o600 });
  afterAll(() => rmSync(folder, { recursive: true }));
  const failed = (code: string, path?: string) => Object.assign(new Error('spawn prog'), { code, path });

  it.each([
    [failed('ENOENT', 'prog'), folder, 'prog: No such file or directory (os error 2)'],
    [failed('EACCES', 'prog'), folder, 'prog: Permission denied (os error 13)'],
    [failed('ENOTDIR'), folder, 'program: Not a directory (os error 20)'],
    [failed('ENOENT', 'prog'), '/no/such', 'working directory /no/such: No such file or directory (os error 2)'],
    [failed('ENOENT', 'prog'), `${folder}/prog`, `working directory ${folder}/prog: Not a directory (os error 20)`],
    [failed('EIO', 'prog'), folder, 'spawn prog'],
    [failed('EMFILE', 'prog'), folder, 'spawn prog: this process has too many open files: raise the limit (ulimit -n)'],
  ])('of %s in %s', (error, cwd, reason) => {
    expect(failureReason(error, cwd)).toBe(reason);
  });
});
