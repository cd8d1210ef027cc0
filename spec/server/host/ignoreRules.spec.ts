import { ignoresOf, isIgnored } from '../../../src/server/host/walkFiles';

const ignored = (text: string, path: string, isFolder = false) => isIgnored([ignoresOf(text, '')], path, isFolder);

describe('isIgnored', () => {
  it.each<[string, string, boolean, boolean]>([
    ['node_modules', 'a/node_modules', true, true],
    ['dist/', 'dist', true, true],
    ['dist/', 'dist', false, false],
    ['/dist', 'a/dist', true, false],
    ['a/b', 'a/b', false, true],
    ['a/b', 'x/a/b', false, false],
    ['*.log\n!keep.log', 'keep.log', false, false],
    ['*.log\n!keep.log', 'x/other.log', false, true],
    ['# comment', '# comment', false, false],
    ['\\#x', '#x', false, true],
    ['x  ', 'x', false, true],
  ])('%j and %s', (text, path, isFolder, expected) => {
    expect(ignored(text, path, isFolder)).toBe(expected);
  });

  it('lets the rules of the deeper folder decide', () => {
    const all = [ignoresOf('*.js', ''), ignoresOf('!a.js', 'b')];
    expect(isIgnored(all, 'b/a.js', false)).toBe(false);
    expect(isIgnored(all, 'b/c.js', false)).toBe(true);
  });
});

describe('ignoresOf', () => {
  it('reads no more rules than a search can try', () => {
    expect(ignoresOf('a\n'.repeat(5_000), '').rules).toHaveLength(1_000);
    expect(ignoresOf('a'.repeat(300), '').rules).toEqual([]);
  });

  it('reads no more characters of a file and those above it than a search can try', () => {
    const long = `${'a'.repeat(128)}\n`.repeat(100);
    const [top, below] = [ignoresOf(long, ''), ignoresOf(long, 'b', [ignoresOf(long, '')])];
    expect([top.rules.length, below.rules.length]).toEqual([100, 28]);
    expect(ignoresOf('a', 'b/c', [top, below]).rules).toEqual([]);
  });

  it('reads a line of a million spaces at once', () => {
    const before = process.cpuUsage();
    expect(ignoresOf(`${' '.repeat(1_000_000)}x`, '').rules).toEqual([]);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
  });
});
