/** The contract of the port of files: what this machine and an executor elsewhere do alike. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { firstValueFrom } from 'rxjs';
import type { FileChange } from '../../src/executor/files';
import type { WholeFiles } from '../../src/executor/remote/remoteFiles';
import { newFolder, put, textsIn } from '../executor/localPatch/files';

const change = (real: string, own: Partial<FileChange>): FileChange => ({
  path: real,
  absolute: real,
  real,
  found: 'file',
  ...own,
});
const content = (text: string, mode: number | 'default' = 'default') => ({ bytes: Buffer.from(text), mode });

/** @param files of a machine that has the disk of the specs */
export const filesContract = (files: WholeFiles): void => {
  const folder = newFolder();
  const at = (name: string) => join(folder, name);
  const codeOf = (action: Promise<unknown>) =>
    action.then(
      () => 'done',
      (error) => [error.code, error.errno],
    );

  it('tells what stands at a path, through links', async () => {
    put(folder, 'f', 'four');
    chmodSync(at('f'), 0o640);
    symlinkSync('f', at('link'));
    const facts = { isDirectory: false, isFile: true, size: 4, mode: 0o640, writable: true };
    expect(await firstValueFrom(files.facts(at('f')))).toMatchObject({ ...facts, isSymlink: false });
    expect(await firstValueFrom(files.facts(at('link')))).toMatchObject({ ...facts, isSymlink: true });
    expect(await firstValueFrom(files.facts(folder))).toMatchObject({ isDirectory: true, isFile: false });
    expect(await firstValueFrom(files.canonical(at('link')))).toBe(at('f'));
  });

  it('reads and writes whole files, of any bytes and any name', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    await firstValueFrom(files.write(at('a b%\\ü'), bytes));
    expect(readFileSync(at('a b%\\ü'))).toEqual(bytes);
    expect(Buffer.from(await firstValueFrom(files.read(at('a b%\\ü'), 100)))).toEqual(bytes);
    expect(Buffer.from(await firstValueFrom(files.read(at('a b%\\ü'), 2)))).toEqual(bytes.subarray(0, 2));
  });

  it('makes, lists, copies and removes', async () => {
    await firstValueFrom(files.makeDirectory(at('d/e'), { recursive: true }));
    await firstValueFrom(files.write(at('d/e/f'), Buffer.from('x')));
    await firstValueFrom(files.copy(at('d'), at('c')));
    expect(await firstValueFrom(files.list(at('c/e')))).toEqual([{ fileName: 'f', isDirectory: false, isFile: true }]);
    await firstValueFrom(files.remove(at('d'), { recursive: true, force: false }));
    expect(readdirSync(folder)).not.toContain('d');
  });

  it.each<[string, (name: string) => Promise<unknown>, unknown]>([
    ['reads what is not there', (name) => firstValueFrom(files.facts(at(name))), ['ENOENT', -2]],
    ['resolves what is not there', (name) => firstValueFrom(files.canonical(at(name))), ['ENOENT', -2]],
    ['looks below a file', (name) => firstValueFrom(files.canonical(`${at('f')}/${name}`)), ['ENOTDIR', -20]],
    [
      'writes below what is not there',
      (name) => firstValueFrom(files.write(at(`${name}/x`), Buffer.from(''))),
      ['ENOENT', -2],
    ],
    ['makes what is there', () => firstValueFrom(files.makeDirectory(at('f'), { recursive: false })), ['EEXIST', -17]],
  ])('errors as the system does where it %s', async (_, act, code) => {
    put(folder, 'f', 'four');
    expect(await codeOf(act('missing'))).toEqual(code);
  });

  it('changes the files of a patch together, and keeps permissions', async () => {
    mkdirSync(at('p'));
    put(folder, 'p/old', 'old\n');
    put(folder, 'p/gone', 'gone\n');
    chmodSync(at('p/old'), 0o750);
    const changes = [
      change(at('p/old'), { before: content('old\n', 0o750), after: content('new\n', 0o750) }),
      change(at('p/sub/made'), { found: 'nothing', after: content('made\n') }),
      change(at('p/gone'), { before: content('gone\n') }),
    ];
    expect(await firstValueFrom(files.change(changes))).toEqual({ kind: 'applied' });
    expect(textsIn(at('p'))).toEqual({ old: 'new\n', 'sub/made': 'made\n' });
    expect(statSync(at('p/old')).mode & 0o777).toBe(0o750);
  });

  it('changes none of them if one is not what it was', async () => {
    mkdirSync(at('q'));
    put(folder, 'q/a', 'a\n');
    put(folder, 'q/b', 'other\n');
    const changes = [
      change(at('q/a'), { before: content('a\n'), after: content('A\n') }),
      change(at('q/b'), { before: content('b\n'), after: content('B\n') }),
    ];
    const message = `Failed to write file ${at('q/b')}: it has changed since the patch was checked; read it and send a new patch. No file was changed`;
    expect(await firstValueFrom(files.change(changes))).toEqual({ kind: 'failed', message });
    expect(textsIn(at('q'))).toEqual({ a: 'a\n', b: 'other\n' });
  });
};
