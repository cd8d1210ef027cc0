import { openFolders } from '../../../src/executor/applying/openFolders';
import { memoryDisk, systemError } from './memoryDisk';

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
