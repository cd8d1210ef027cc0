import fs from 'node:fs';
import { hostname } from 'node:os';
import { ownFacts } from '../../../src/io/files/ownFacts';

describe('ownFacts', () => {
  const deps = { fs, startOf: () => '42', host: hostname() };

  it('has the kernel, the namespace and the disk of a folder that is not there yet', () => {
    const facts = ownFacts({ ...deps, folder: `${__dirname}/../../files/none/yet` }, 7);
    expect(facts).toMatchObject({ pid: 7, start: '42', host: hostname() });
    expect(ownFacts({ ...deps, folder: __dirname }, 7)).toEqual(facts);
    if (process.platform === 'linux') {
      expect([facts.boot, facts.space]).toEqual([
        expect.stringMatching(/^[0-9a-f-]{36}$/),
        expect.stringMatching(/^pid:\[\d+\]$/),
      ]);
    }
  });

  it.each([
    [0xef53, 'own'],
    [0x6969, '6969'],
  ])('takes the file system %i for a disk: %s', (type, disk) => {
    const statfsSync = (() => ({ type })) as unknown as typeof fs.statfsSync;
    expect(ownFacts({ ...deps, fs: { ...fs, statfsSync }, folder: '/' }, 7).disk).toBe(disk);
  });

  it('leaves out what the system does not have', () => {
    const none = () => {
      throw new Error('none');
    };
    const dead = { ...fs, openSync: none, readlinkSync: none, statfsSync: none } as unknown as typeof fs;
    expect(ownFacts({ ...deps, fs: dead, folder: '/a', host: 'h' }, 7)).toEqual({ pid: 7, start: '42', host: 'h' });
    expect(ownFacts({ ...deps, fs: dead, folder: '/a', boot: 'b' }, 7).boot).toBe('b');
  });
});
