import { isLineRange, skipFlagValues, untilConnector } from '../../../src/agent/safety/operands';
import { shortPath } from '../../../src/agent/safety/parseCommand';

describe('skipFlagValues', () => {
  it.each([
    ['', ''],
    ['a b', 'a b'],
    ['-w 80 a', 'a'],
    ['-w', ''],
    ['-w -w a', 'a'],
    ['--color=x -l a', '-l a'],
    ['a -- -w b --x=y', 'a -w b --x=y'],
    ['-w -- a', 'a'],
  ])('leaves of %j: %j', (line, left) => {
    const words = line === '' ? [] : line.split(' ');
    expect(skipFlagValues(words, ['-w']).join(' ')).toBe(left);
  });
});

describe('untilConnector', () => {
  it('ends before the first connector', () => {
    expect(untilConnector(['a', '|', 'b', ';'])).toEqual(['a']);
    expect(untilConnector(['a', '||b'])).toEqual(['a', '||b']);
  });
});

describe('isLineRange', () => {
  it('knows one line and two', () => {
    const words = ['3p', '3,5p', 'p', '3', ',5p', '3,p', '1,2,3p', '٣p', '3p\n'];
    expect(words.filter(isLineRange)).toEqual(['3p', '3,5p']);
  });
});

describe('shortPath', () => {
  it.each([
    ['a/b.ts', 'b.ts'],
    ['packages/app/src/', 'app'],
    ['node_modules', 'node_modules'],
    ['src/dist', 'src/dist'],
    ['C:\\dir\\sub', 'sub'],
    ['/', ''],
    ['', ''],
  ])('shortens %j to %j', (path, short) => {
    expect(shortPath(path)).toBe(short);
  });
});
