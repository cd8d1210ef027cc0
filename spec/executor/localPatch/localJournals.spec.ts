import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localJournals } from '../../../src/executor/localPatch/localJournals';
import { filesHere } from '../../../src/io/disk/filesHere';
import { isOwnFolder } from '../../../src/io/disk/namedHere';
import { newFolder } from './files';

describe('localJournals', () => {
  const root = newFolder();
  const { files } = filesHere(root);
  const journalsIn = (folder: string, isOwn = isOwnFolder) =>
    localJournals({ files, isOwn, pause: async () => {} }, folder);
  let count = 0;
  const opened = () => {
    const folder = join(root, `${++count}`, 'patches');
    return { folder, journals: journalsIn(folder) };
  };

  it('keeps a journal from its writing to its removal, for this user only', async () => {
    const { folder, journals } = opened();
    expect(await journals.list()).toEqual([]);
    await journals.write('ab', 'text');
    expect([statSync(folder).mode & 0o777, statSync(join(folder, 'ab.open')).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(await journals.list()).toEqual([{ id: 'ab', phase: 'open', text: 'text', writtenMs: expect.any(Number) }]);
    await journals.commit('ab');
    expect(await journalsIn(folder).list()).toMatchObject([{ id: 'ab', phase: 'committed', text: 'text' }]);
    await journals.remove('ab');
    await journals.remove('ab');
    expect([await journals.list(), readdirSync(folder)]).toEqual([[], []]);
  });

  it('rejects if a journal is missing, or was written', async () => {
    const { journals } = opened();
    await journals.write('ab', 'text');
    await expect(journals.commit('cd')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(journalsIn(join(root, 'f/x')).write('ab', '')).resolves.toBeUndefined();
  });

  it('passes over files that are no journals, and journals that are not whole yet', async () => {
    const { folder, journals } = opened();
    mkdirSync(folder, { recursive: true });
    for (const name of ['ab.draft', 'zz.open', 'x', '.open']) writeFileSync(join(folder, name), '');
    expect(await journals.list()).toEqual([]);
  });

  it('does not use a folder that a link leads to', async () => {
    const folder = join(root, 'link');
    mkdirSync(join(root, 'target'));
    chmodSync(join(root, 'target'), 0o777);
    symlinkSync('target', folder);
    await expect(journalsIn(folder).list()).rejects.toThrow('links are not followed');
    await expect(journalsIn(folder).write('ab', '')).rejects.toThrow('links are not followed');
  });

  it('does not use a folder of another user', async () => {
    const { folder, journals } = opened();
    await journals.write('ab', 'text');
    const foreign = journalsIn(folder, () => false);
    await expect(foreign.list()).rejects.toThrow('must be a folder of this user');
    await expect(foreign.write('cd', '')).rejects.toThrow('must be a folder of this user');
  });
});
