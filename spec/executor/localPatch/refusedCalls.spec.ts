/** A patch under Node's permission model, which refuses calls by a descriptor whatever rights were given. */
import { statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { localDisk } from '../../../src/executor/localPatch/patchHere';
import { newFolder, put, textsIn } from './files';

const mockRefused: string[] = [];

jest.mock('node:fs/promises', () => {
  const real = jest.requireActual<typeof import('node:fs/promises')>('node:fs/promises');
  const refuse = (name: string) => async () => {
    mockRefused.push(name);
    throw Object.assign(new Error(`f${name} API is disabled`), { code: 'ERR_ACCESS_DENIED' });
  };
  const open = async (...args: Parameters<typeof real.open>): Promise<FileHandle> =>
    Object.assign(await real.open(...args), { sync: refuse('sync'), chmod: refuse('chmod'), chown: refuse('chown') });
  return { ...real, open };
});

describe('a file of a patch, if calls by its descriptor are refused', () => {
  const path = newFolder();
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  beforeEach(() => void mockRefused.splice(0));

  const create = async (name: string, owner: { uid: number; gid: number }): Promise<void> => {
    const folder = await localDisk({ platform: process.platform }).openFolder(path);
    await folder.create(name, { bytes: Buffer.from('new\n'), mode: 0o640, owner });
    await folder.sync();
    await folder.close();
  };

  it('gets its mode all the same, and is not asked to change an owner that it has', async () => {
    await create('a', own);
    expect([textsIn(path).a, statSync(join(path, 'a')).mode & 0o777]).toEqual(['new\n', 0o640]);
    expect(mockRefused).toEqual(['chmod', 'sync', 'sync']);
  });

  it('gets its owner, as far as this user may give it away', async () => {
    await create('b', { uid: own.uid + 1, gid: own.gid });
    expect(statSync(join(path, 'b')).uid).toBe(own.uid === 0 ? 1 : own.uid);
    expect(mockRefused[0]).toBe('chown');
  });

  it('is made by paths if there is no /proc', async () => {
    put(path, 'inner/old', 'old\n');
    const folder = await localDisk({ platform: 'linux', proc: () => undefined }).openFolder(join(path, 'inner'));
    await folder.rename('old', 'new');
    await folder.close();
    expect(textsIn(join(path, 'inner'))).toEqual({ new: 'old\n' });
  });
});
