import fs from 'node:fs';
import { join } from 'node:path';
import { createFile, syncFile, writeAll } from '../../../src/io/files/createFile';
import { modeOf, openFolder, removeFolders, systemError } from '../../support/files';

afterAll(removeFolders);

describe('createFile', () => {
  it.each(['system', 'disk'] as const)('makes a private file that the %s has', (until) => {
    const path = join(openFolder(), 'a');
    const synced: number[] = [];
    const fsyncSync = (fd: number) => void synced.push(fd);
    createFile({ ...fs, fsyncSync }, path, { text: 'text', until });
    expect([fs.readFileSync(path, 'utf8'), modeOf(path), synced.length]).toEqual([
      'text',
      0o600,
      until === 'disk' ? 1 : 0,
    ]);
  });

  it('leaves alone what has the name, also a link to nothing', () => {
    const folder = openFolder();
    fs.writeFileSync(join(folder, 'a'), 'old');
    fs.symlinkSync(join(folder, 'target'), join(folder, 'link'));
    for (const name of ['a', 'link']) {
      expect(() => createFile(fs, join(folder, name), { text: 'new', until: 'system' })).toThrow(/EEXIST/);
    }
    expect([fs.readFileSync(join(folder, 'a'), 'utf8'), fs.readdirSync(folder)]).toEqual(['old', ['a', 'link']]);
  });

  it.each(['writeSync', 'fsyncSync'] as const)('leaves no part of a file where %s fails', (name) => {
    const folder = openFolder();
    const failing = () => {
      throw systemError('ENOSPC');
    };
    expect(() => createFile({ ...fs, [name]: failing }, join(folder, 'a'), { text: 'a', until: 'disk' })).toThrow(
      /ENOSPC/,
    );
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

describe('writeAll', () => {
  it('goes on where the system wrote only a part', () => {
    const written: string[] = [];
    const writeSync = ((_: number, bytes: Buffer, at: number) => {
      written.push(bytes.subarray(at, at + 3).toString());
      return Math.min(3, bytes.length - at);
    }) as unknown as typeof fs.writeSync;
    writeAll({ writeSync }, 1, Buffer.from('abcdefgh'));
    expect(written).toEqual(['abc', 'def', 'gh']);
  });
});

describe('syncFile', () => {
  const failing = (code: string) => ({
    fsyncSync: () => {
      throw Object.assign(new Error(`no: ${code}`), { code });
    },
  });

  it('waits for the disk', () => {
    const synced: number[] = [];
    syncFile({ fsyncSync: (fd) => void synced.push(fd) }, 7);
    expect(synced).toEqual([7]);
  });

  it("fails with the disk, but not if Node's permission model refuses the call", () => {
    expect(() => syncFile(failing('EIO'), 7)).toThrow('no: EIO');
    expect(() => syncFile(failing('ERR_ACCESS_DENIED'), 7)).not.toThrow();
  });
});
