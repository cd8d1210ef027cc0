import fs from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { findLastLine, readLines, readSystem, readText } from '../../../src/io/files/readFile';
import { atOnce } from '../../../src/streams/pausing';
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

  it('copies a long line that is not wanted once, however long the next one is', () => {
    const bytes = 4_000_000;
    const copy = jest.spyOn(Buffer, 'from');
    const lines = linesOf(`b1${'x'.repeat(bytes)}\nb2${'x'.repeat(bytes)}\n`);
    const copied = copy.mock.calls.map(([of]) => (Buffer.isBuffer(of) ? of.length : 0));
    copy.mockRestore();
    expect(lines.map((line) => line.slice(0, 2))).toEqual(['b2']);
    expect(copied.reduce((sum, length) => sum + length, 0)).toBeLessThan(4.5 * bytes);
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

describe('findLastLine', () => {
  const placeIn = (text: string, isIt = (line: string) => line.endsWith('!')) => {
    const root = openFolder();
    fs.writeFileSync(join(root, 'f'), text);
    return atOnce(findLastLine({ fs, root }, join(root, 'f'), { word: 'word', isIt }));
  };

  it.each([
    ['nothing in an empty file', '', undefined],
    ['nothing without the word', 'no\n', undefined],
    ['a line without an end', 'word!', 0],
    ['the last one that is taken', 'a word!\nb word!\nc word?\nd\n', 8],
    ['no line whose end is of the next', 'a word!\nb word\n!\n', 0],
    ['no line with the word after its beginning', `word!\n${'x'.repeat(512)}word!\n`, 0],
    ['a line whose beginning ends by the word', `${'x'.repeat(508)}word!\n`, 0],
    ['a place in bytes', 'é\nword!\nü word?', 3],
  ])('finds %s', (_, text, place) => {
    expect(placeIn(text)).toBe(place);
  });

  it('finds a line wherever the pieces end that the file is read in', () => {
    const MIB = 1_048_576;
    const line = `${'x'.repeat(500)}word!`;
    const gap = fc.oneof(fc.integer({ min: MIB - 1600, max: MIB + 10 }), fc.nat(2 * MIB));
    fc.assert(
      fc.property(fc.nat(600), gap, (before, after) => {
        expect(placeIn(`${'a'.repeat(before)}\n${line}\n${'word '.repeat(after / 5)}\n${'z'.repeat(after % 5)}`)).toBe(
          before + 1,
        );
      }),
      { numRuns: 10 },
    );
  });

  it('reads a line that is longer than a piece, and asks about it once', () => {
    const asked: number[] = [];
    const long = `word word ${'x'.repeat(3_000_000)}`;
    expect(placeIn(`word!\n${long}\n`, (line) => asked.push(line.length) > 1)).toBe(0);
    expect(asked).toEqual([long.length, 5]);
  });

  it('searches little more where a line has the word a hundred thousand times', () => {
    const search = jest.spyOn(Buffer.prototype, 'lastIndexOf');
    expect(placeIn(`word!\n${'x'.repeat(600)}${'word '.repeat(100_000)}\n`)).toBe(0);
    const searches = search.mock.calls.length;
    search.mockRestore();
    expect(searches).toBeLessThan(10);
  });

  it('pauses after each MiB, and finds nothing where there is no file', () => {
    const root = openFolder();
    const line = { word: 'word', isIt: () => true };
    fs.writeFileSync(join(root, 'f'), 'x'.repeat(3_000_000));
    expect([...findLastLine({ fs, root }, join(root, 'f'), line)]).toHaveLength(3);
    expect(atOnce(findLastLine({ fs, root }, join(root, 'none'), line))).toBeUndefined();
  });
});

describe('readSystem', () => {
  it('reads the beginning of a file, and nothing of one that is not there', () => {
    expect(readSystem(fs, __filename)).toBe(fs.readFileSync(__filename, 'latin1').slice(0, 1024));
    expect(readSystem(fs, `${__filename}.none`)).toBeUndefined();
  });
});
