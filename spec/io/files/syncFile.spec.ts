import { syncFile } from '../../../src/io/files/syncFile';

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
