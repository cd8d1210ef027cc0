import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readToken } from '../../../src/executor/listen/token';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codex-rx-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fileWith = (text: string, mode = 0o600): string => {
  const path = join(folder, 'token');
  rmSync(path, { force: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};

describe('readToken', () => {
  it('reads the token in a file that is closed to others', () => {
    expect(readToken(fileWith(' sesame\n'))).toBe('sesame');
    expect(readToken(fileWith('sesame', 0o400))).toBe('sesame');
  });

  it.each<[string, () => string, RegExp]>([
    ['others can read', () => fileWith('x', 0o644), /open to others \(mode 644\); close it: chmod 600 /],
    ['others can write', () => fileWith('x', 0o602), /open to others/],
    ['is empty', () => fileWith('\n'), /is empty/],
    ['holds two words', () => fileWith('a b'), /one token/],
    ['holds what no header can', () => fileWith('é'), /one token/],
    ['is not there', () => join(folder, 'none'), /no such file/],
  ])('refuses one that %s', (_, path, words) => {
    expect(() => readToken(path())).toThrow(words);
  });
});
