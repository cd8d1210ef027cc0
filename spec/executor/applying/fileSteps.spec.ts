import { type FileStep, keep, openFolders, stage, swap } from '../../../src/executor/applying/fileSteps';
import { toEntry } from '../../../src/executor/applying/journal';
import { patchOf, planned } from '../patch/support';
import { type Faults, memoryDisk, systemError } from './memoryDisk';

const digest = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const [NEW, OLD] = ['/ws/.codex-rx-1-0.new', '/ws/.codex-rx-1-0.old'];

/** The one file of a patch, which stands on the disk with this text, or not at all. */
const fileOf = (lines: string[], text?: string): FileStep => {
  const [plan] = planned(patchOf(...lines), text === undefined ? {} : { f: text }).files;
  if (plan === undefined) throw new Error('no file');
  return { plan, entry: toEntry('1', digest, { plan, index: 0 }) };
};
const updated = fileOf(['*** Update File: f', '@@', '-a', '+b'], 'a\n');
const added = fileOf(['*** Add File: f', '+b']);
const deleted = fileOf(['*** Delete File: f'], 'a\n');

type Run = typeof stage;
/** The files after these steps, and their operations. */
const afterSteps = async (file: FileStep, texts: Record<string, string>, steps: Run[], faults: Faults = {}) => {
  const disk = memoryDisk({ '/ws/other': '', ...texts }, faults);
  const folder = await disk.disk.openFolder('/ws');
  let failure: string | undefined;
  for (const step of steps) failure ??= await step(folder, file).then(() => undefined, String);
  const { '/ws/other': _, ...left } = disk.texts();
  return { left, failure };
};
const CHANGED = 'Error: it has changed since the patch was checked; read it and send a new patch';
const all = [stage, keep(digest), swap(digest)];

describe('stage', () => {
  it.each([
    ['puts new content beside a file  ', updated, { '/ws/f': 'a\n' }, { '/ws/f': 'a\n', [NEW]: 'b\n' }],
    ['makes a new file beside its name', added, {}, { [NEW]: 'b\n' }],
    ['makes nothing for a deleted file', deleted, { '/ws/f': 'a\n' }, { '/ws/f': 'a\n' }],
  ])('%s', async (_, file, before, left) => {
    expect(await afterSteps(file, before, [stage])).toEqual({ left, failure: undefined });
  });

  it('keeps the owner of the old file', async () => {
    const disk = memoryDisk({});
    disk.put('/ws/f', Buffer.from('a\n'), { owner: { uid: 5, gid: 6 } });
    await stage(await disk.disk.openFolder('/ws'), updated);
    expect(disk.node(NEW)).toMatchObject({ owner: { uid: 5, gid: 6 }, mode: 0o644 });
  });
});

describe('keep', () => {
  it.each([
    ['gives the old content a second name', updated, { '/ws/f': 'a\n' }, { '/ws/f': 'a\n', [OLD]: 'a\n' }, undefined],
    ['keeps nothing of a new file        ', added, {}, {}, undefined],
    ['leaves a deleted file to `swap`    ', deleted, { '/ws/f': 'a\n' }, { '/ws/f': 'a\n' }, undefined],
    ['refuses other content than planned ', updated, { '/ws/f': 'x\n' }, { '/ws/f': 'x\n', [OLD]: 'x\n' }, CHANGED],
  ])('%s', async (_, file, before, left, failure) => {
    expect(await afterSteps(file, before, [keep(digest)])).toEqual({ left, failure });
  });

  it('copies the content if the disk has no hard links', async () => {
    expect(await afterSteps(updated, { '/ws/f': 'a\n' }, [keep(digest)], { links: 'none' })).toEqual({
      left: { '/ws/f': 'a\n', [OLD]: 'a\n' },
      failure: undefined,
    });
    expect((await afterSteps(updated, { '/ws/f': 'x\n' }, [keep(digest)], { links: 'none' })).failure).toBe(CHANGED);
  });
});

describe('swap', () => {
  it.each<[string, FileStep, Record<string, string>, Record<string, string>]>([
    ['replaces a file ', updated, { '/ws/f': 'a\n' }, { '/ws/f': 'b\n', [OLD]: 'a\n' }],
    ['names a new file', added, {}, { '/ws/f': 'b\n', [NEW]: 'b\n' }],
    ['deletes a file  ', deleted, { '/ws/f': 'a\n' }, { [OLD]: 'a\n' }],
  ])('%s', async (_, file, before, left) => {
    expect(await afterSteps(file, before, all)).toEqual({ left, failure: undefined });
  });

  it.each<Faults>([{}, { links: 'none' }])('never replaces a file that was made meanwhile, %j', async (faults) => {
    expect(await afterSteps(added, { '/ws/f': 'x\n' }, [stage, swap(digest)], faults)).toEqual({
      left: { '/ws/f': 'x\n', [NEW]: 'b\n' },
      failure: CHANGED,
    });
  });
});

describe('openFolders', () => {
  it('opens a folder once, and closes all', async () => {
    const disk = memoryDisk({ '/ws/a/f': '', '/ws/b/f': '' });
    const closed: string[] = [];
    const folders = openFolders({
      openFolder: async (path) => {
        const folder = await disk.disk.openFolder(path);
        return { ...folder, close: async () => void closed.push(path) };
      },
    });
    expect(await folders.at('/ws/a')).toBe(await folders.at('/ws/a'));
    await folders.at('/ws/b');
    expect(disk.operations).toEqual(['open /ws/a', 'open /ws/b']);
    expect(folders.all()).toHaveLength(2);
    await folders.close();
    expect(closed).toEqual(['/ws/a', '/ws/b']);
  });

  it('names the folders that are missing, outermost first, and makes them', async () => {
    const disk = memoryDisk({ '/ws/f': '' });
    const folders = openFolders(disk.disk);
    const missing = await folders.missing('/ws/x/y');
    expect([missing, await folders.missing('/ws')]).toEqual([['/ws/x', '/ws/x/y'], []]);
    for (const path of missing) await folders.make(path);
    await folders.at('/ws/x/y');
    expect(disk.folders.has('/ws/x/y')).toBe(true);
  });

  it('rejects if a path cannot be had', async () => {
    const disk = memoryDisk({ '/ws/f': '' });
    await expect(openFolders(disk.disk).missing('/ws/f')).rejects.toThrow('ENOTDIR');
    const nothing = { openFolder: async () => Promise.reject(systemError('ENOENT', -2)) };
    await expect(openFolders(nothing).missing('/')).rejects.toThrow('ENOENT');
  });

  it('closes all even if one cannot be closed', async () => {
    const disk = memoryDisk({ '/ws/f': '' });
    const closed: string[] = [];
    const folders = openFolders({
      openFolder: async (path) => ({
        ...(await disk.disk.openFolder('/ws')),
        close: async () => {
          closed.push(path);
          throw new Error('busy');
        },
      }),
    });
    await Promise.all(['/a', '/b'].map(folders.at));
    await folders.close();
    expect(closed).toEqual(['/a', '/b']);
  });
});
