import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failureReason } from '../../../src/io/processes/failureReason';

const folder = mkdtempSync(join(tmpdir(), 'codex-rx-'));
writeFileSync(join(folder, 'prog'), '', { mode: 0o700 });
writeFileSync(join(folder, 'text'), '', { mode: 0o600 });
afterAll(() => rmSync(folder, { recursive: true }));

const failed = (code: string, path?: string) => Object.assign(new Error('spawn prog'), { code, path });

describe('failureReason', () => {
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
