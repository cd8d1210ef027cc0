import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { processStart } from '../../../src/io/files/processStart';

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
