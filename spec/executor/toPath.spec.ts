import fc from 'fast-check';
import { toPath } from '../../src/executor/toPath';
import { toUri } from '../../src/executor/toUri';

describe('toPath', () => {
  it.each([
    ['/a b', '/a b'],
    ['file:///a%20b', '/a b'],
    ['FILE:///%E2%82%AC', '/€'],
  ])('reads %s', (given, expected) => {
    expect(toPath(given, 'path')).toBe(expected);
  });

  it.each([
    ['a/b', 'path is not absolute: a/b'],
    ['http://h/a', 'unsupported path URI scheme `http`'],
    ['file://host/a', 'cwd URI `file://host/a` is not valid on this exec-server host: it names another host'],
    ['file:///%ff', 'invalid URI: file:///%ff'],
  ])('refuses %s', (given, message) => {
    expect(() => toPath(given, 'cwd')).toThrow(message);
  });

  it('reads every path that toUri has written', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme-composite' })), (names) => {
        const path = `/${names
          .map((name) => name.replaceAll(/[/\0]/g, ''))
          .filter((name) => !/^\.{1,2}$/.test(name))
          .join('/')}`;
        expect(toPath(toUri(path), 'path')).toBe(path);
      }),
    );
  });
});
