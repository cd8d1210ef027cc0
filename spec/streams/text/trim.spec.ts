import fc from 'fast-check';
import {
  clip,
  gitdirOf,
  isPlainName,
  isWithin,
  withoutEndBreaks,
  withoutEndSlash,
  withoutLogin,
} from '../../../src/streams/text/trim';

describe('clip', () => {
  it.each([
    ['', ''],
    ['abc', 'abc'],
    ['abcd', 'abc…'],
    ['ab\u{1F600}', 'ab…'],
  ])('cuts %j to %j', (text, expected) => {
    expect(clip(text, 3)).toBe(expected);
  });

  it('keeps a short text, and the beginning of a long one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, max) => {
        const cut = clip(text, max);
        expect(cut.length).toBeLessThanOrEqual(max + 1);
        expect(text.startsWith(cut.replace(/…$/, ''))).toBe(true);
        if (text.length <= max) expect(cut).toBe(text);
      }),
    );
  });
});

describe('isWithin', () => {
  it.each([
    ['/a', '/a', true],
    ['/a', '/a/b', true],
    ['/a', '/ab', false],
    ['/a/b', '/a', false],
    ['/', '/a', true],
    ['/', '/', true],
  ])('relates %s to %s: %s', (folder, path, expected) => {
    expect(isWithin(folder, path)).toBe(expected);
  });
});

describe('gitdirOf', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gitdir:x', undefined],
    ['a gitdir: x', undefined],
    ['gitdir: ../x/.git/worktrees/y\n', '../x/.git/worktrees/y'],
    ['gitdir:  with blanks \r\n', ' with blanks '],
    ['gitdir: a\nb\n\n', 'a\nb'],
    ['gitdir: ', ''],
  ])('of %j is %j', (text, path) => {
    expect(gitdirOf(text)).toBe(path);
  });

  it('needs no more than a moment for a million line breaks', () => {
    const breaks = '\n'.repeat(1_000_000); // a search from each of them takes minutes
    expect(withoutEndBreaks(`${breaks}a`)).toBe(`${breaks}a`);
  });

  it('is none for a text that no system takes for a path', () => {
    expect(gitdirOf(`gitdir: ${'a/'.repeat(2_000)}`)).toHaveLength(4_000);
    expect(gitdirOf(`gitdir: ${'a/'.repeat(2_048)}\n`)).toBeUndefined();
  });
});

describe('isPlainName', () => {
  it.each([
    ['build-1', true],
    ['B_2', true],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['', false],
    ['a.b', false],
    ['a b', false],
    ['*', false],
    ['a>', false],
    ['a/b', false],
    ['..', false],
    ['ä', false],
    ['a\n', false],
    ['a%20b', false],
  ] as [string, boolean][])('of %j is %s', (name, expected) => {
    expect(isPlainName(name)).toBe(expected);
  });
});

describe('withoutEndBreaks', () => {
  it.each([
    ['', ''],
    ['a', 'a'],
    ['a\n', 'a'],
    ['a\r\n\n', 'a'],
    ['a\nb \n', 'a\nb '],
    ['\n', ''],
  ])('of %j is %j', (text, rest) => {
    expect(withoutEndBreaks(text)).toBe(rest);
  });

  it('needs no more than a moment for a million line breaks', () => {
    const long = `a${'\n'.repeat(1_000_000)}b`; // a search from each of them takes minutes
    expect(withoutEndBreaks(long)).toBe(long);
  });
});

describe('withoutEndSlash', () => {
  it.each([
    ['https://a/b', 'https://a/b'],
    ['https://a/b/', 'https://a/b'],
    ['a//b//', 'a//b'],
    ['//', ''],
    ['', ''],
  ])('of %s is %s', (address, rest) => {
    expect(withoutEndSlash(address)).toBe(rest);
  });

  it('needs no more than a moment for a million slashes', () => {
    const long = `https://a${'/'.repeat(1_000_000)}b`; // a search from each slash takes minutes
    expect(withoutEndSlash(long)).toBe(long);
  });
});

describe('withoutLogin', () => {
  it.each([
    ['nats://u:pw@h:1/tape', 'nats://h:1/tape'],
    ['tls://token@h', 'tls://h'],
    ['nats://a:1@b@h,c:d@i/x@y', 'nats://i/x@y'],
    ['nats://h/x@y', 'nats://h/x@y'],
    ['/a/b@c', '/a/b@c'],
  ])('of %s is %s', (address, shown) => {
    expect(withoutLogin(address)).toBe(shown);
  });
});
