import fs from 'node:fs';
import { readSystem } from '../../../src/io/files/readSystem';

describe('readSystem', () => {
  it('reads the beginning of a file, and nothing of one that is not there', () => {
    expect(readSystem(fs, __filename)).toBe(fs.readFileSync(__filename, 'latin1').slice(0, 1024));
    expect(readSystem(fs, `${__filename}.none`)).toBeUndefined();
  });
});
