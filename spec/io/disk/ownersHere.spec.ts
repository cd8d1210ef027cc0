import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ownersHere, ownFacts, processStart } from '../../../src/io/disk/ownersHere';
import { openFolder, removeFolders } from '../../support/files';

afterAll(removeFolders);

describe('ownersHere', () => {
  it('is one owner for this process, whom others in another pid namespace recognise by its socket', () => {
    const folder = openFolder();
    const owners = ownersHere({ folder, sockets: join(folder, 'alive') });
    const self = owners.self();
    expect([owners.self(), owners.stateOf(self)]).toEqual([self, 'self']);
    expect(owners.nameOf(self)).toBe(`the process ${process.pid}`);
    const inside = { ...self, space: 'pid:[1]', pid: 3 };
    if (process.platform !== 'linux') return;
    expect([owners.stateOf(inside), owners.nameOf(inside)]).toEqual(['lives', 'the process 3 of a container']);
    owners.forget(inside);
    expect(owners.stateOf(inside)).toBe('ended');
    const { socket: _, ...silent } = inside;
    expect(owners.stateOf(silent)).toBe('unknown');
  });
});

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

const own = { pid: process.pid, isThere: () => true };

describe('processStart', () => {
  it('is the same for one process and differs from a later one', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    try {
      const start = processStart({ fs, ...own });
      expect(start(process.pid)).toMatch(/^\d+$/);
      expect(start(process.pid)).toBe(start(process.pid));
      expect(start(child.pid ?? 0)).not.toBe(start(process.pid));
    } finally {
      child.kill('SIGKILL');
      await new Promise((ended) => child.once('exit', ended));
    }
  });

  it('reads past a name with brackets and spaces; a zombie has ended', () => {
    const stat = (text: string) => {
      const readSync = ((_: number, bytes: Buffer) => bytes.write(text)) as unknown as typeof fs.readSync;
      const readlinkSync = (() => '7') as unknown as typeof fs.readlinkSync;
      return processStart({ fs: { openSync: () => 1, closeSync: () => {}, readSync, readlinkSync }, ...own, pid: 7 })(
        1,
      );
    };
    const rest = '1 1 1 0 -1 4194304 1 1 0 0 0 0 0 0 20 0 1 0 4711 1 1';
    expect(stat(`1 (a) b (c) S ${rest}`)).toBe('4711');
    expect(stat(`1 (sh) Z ${rest}`)).toBeUndefined();
  });

  it('is undefined where there is no process, and unknown without /proc', () => {
    const openSync = () => {
      throw new Error('no /proc');
    };
    expect(processStart({ fs, pid: 1, isThere: () => false })(process.pid)).toBeUndefined();
    expect(processStart({ fs: { ...fs, openSync }, ...own })(process.pid)).toBe('?');
  });

  it('knows its own start, and no other, where /proc is that of an outer pid namespace', () => {
    const outer = { ...fs, readlinkSync: (() => '4711') as unknown as typeof fs.readlinkSync };
    const start = processStart({ fs: outer, pid: 3, isThere: (pid) => pid === 1 });
    expect([start(3), start(1), start(2)]).toEqual([expect.stringMatching(/^\d+$/), '?', undefined]);
  });
});
