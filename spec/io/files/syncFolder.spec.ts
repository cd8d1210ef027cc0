import fs from 'node:fs';
import { syncFolder } from '../../../src/io/files/privateFiles';
import { openFolder, removeFolders, systemError } from '../../support/files';

afterAll(removeFolders);

const failing = (code: string) => ({
  ...fs,
  fsyncSync: () => {
    throw systemError(code);
  },
});

describe('syncFolder', () => {
  it('writes a folder through', () => {
    const synced: number[] = [];
    syncFolder({ ...fs, fsyncSync: (fd) => void synced.push(fd) }, openFolder());
    expect(synced).toHaveLength(1);
  });

  it.each(['EINVAL', 'ENOTSUP'])('passes over a file system that cannot, with %s', (code) => {
    expect(() => syncFolder(failing(code), openFolder())).not.toThrow();
  });

  it('throws where the disk fails', () => {
    expect(() => syncFolder(failing('EIO'), openFolder())).toThrow(/EIO/);
  });
});
