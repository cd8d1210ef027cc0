import fs from 'node:fs';
import { join } from 'node:path';
import { readLines, readSystem, readText } from '../../../src/io/files/readFile';
import { openFolder, removeFolders } from '../../support/files';

afterAll(removeFolders);

describe('readText', () => {
  it('reads a whole file, or its beginning', () => {
    const root = openFolder();
    const text = 'é'.repeat(100_000);
    fs.writeFileSync(join(root, 'a'), text);
    expect(readText({ fs, root }, join(root, 'a'))).toBe(text);
    expect(readText({ fs, root }, join(root, 'a'), 4)).toBe('éé');
  });

  it('returns undefined where there is no file, or no folder', () => {
    const root = openFolder();
    expect(readText({ fs, root }, join(root, 'a'))).toBeUndefined();
    expect(readText({ fs, root }, join(root, 'a/b'))).toBeUndefined();
  });

  it('throws where there is something else', () => {
    const root = openFolder();
    fs.mkdirSync(join(root, 'folder'));
    expect(() => readText({ fs, root }, join(root, 'folder'))).toThrow(/is not a regular file/);
  });
});

describe('readLines', () => {
  const linesOf = (text: string, isWanted = (head: string) => head.startsWith('a')) => {
    const root = openFolder();
    fs.writeFileSync(join(root, 'f'), text);
    return [...readLines({ fs, root }, join(root, 'f'), isWanted)].flat();
  };

  it.each([
    ['', []],
    ['a1\nb1\na2\n', ['a1', 'a2']],
    ['a1\nb1\n', ['a1', 'b1']],
    ['a1\nb1\na2', ['a1', 'b1', 'a2']],
    ['b1\nb2\nb3', ['b2']],
  ])('reads of %j the lines that are wanted, and the last whole one', (text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it('asks by the beginning of a line, and puts lines and characters together that two chunks have', () => {
    const line = `a${'é'.repeat(2_000_000)}`;
    const heads: number[] = [];
    const lines = linesOf(`${line}\nb\n${line}\n`, (head) => heads.push(head.length) > 0);
    expect(lines.map((one) => one === line)).toEqual([true, false, true]);
    expect(Math.max(...heads)).toBeLessThanOrEqual(512);
  });

  it('keeps the last whole line, and what it has of the next one, while a further chunk is read', () => {
    const whole = `b${'1'.repeat(1_048_569)}`;
    expect(linesOf(`${whole}\na234567`)).toEqual([whole, 'a234567']);
  });

  it('reads no further than it is asked, and closes the file then', () => {
    const root = openFolder();
    fs.writeFileSync(join(root, 'f'), `${'a'.repeat(999_999)}\n`.repeat(5));
    let read = 0;
    let closed = 0;
    const counting = {
      ...fs,
      readSync: (...args: Parameters<typeof fs.readSync>) => {
        const count = fs.readSync(...args);
        read += count;
        return count;
      },
      closeSync: (fd: number) => {
        closed += 1;
        fs.closeSync(fd);
      },
    } as typeof fs;
    for (const lines of readLines({ fs: counting, root }, join(root, 'f'), () => true)) {
      expect(lines).toHaveLength(1);
      break;
    }
    expect([read, closed]).toEqual([1_048_576, 1]);
  });

  it('reads nothing where there is no file', () => {
    const root = openFolder();
    expect([...readLines({ fs, root }, join(root, 'a'), () => true)]).toEqual([]);
  });
});

describe('readSystem', () => {
  it('reads the beginning of a file, and nothing of one that is not there', () => {
    expect(readSystem(fs, __filename)).toBe(fs.readFileSync(__filename, 'latin1').slice(0, 1024));
    expect(readSystem(fs, `${__filename}.none`)).toBeUndefined();
  });
});
