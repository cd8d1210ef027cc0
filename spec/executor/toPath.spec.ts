import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { toPath, toUri } from '../../src/executor/toPath';

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

describe('toUri', () => {
  it.each([
    ['/', 'file:///'],
    ['/a b/ü', 'file:///a%20b/%C3%BC'],
    ['/50%/a#b?c', 'file:///50%25/a%23b%3Fc'],
    ['/a\\b\n', 'file:///a%5Cb%0A'],
  ])('of %j is %s', (path, uri) => {
    expect(toUri(path)).toBe(uri);
  });

  it('can be read back', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^\.{0,2}$|[/\0]/.test(text));
    fc.assert(
      fc.property(fc.array(name), (names) =>
        expect(fileURLToPath(toUri(`/${names.join('/')}`))).toBe(`/${names.join('/')}`),
      ),
    );
  });
});
