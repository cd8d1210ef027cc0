import type fs from 'node:fs';
import { writeAll } from '../../../src/io/files/writeAll';

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
