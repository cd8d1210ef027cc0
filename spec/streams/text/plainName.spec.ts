import { isPlainName } from '../../../src/streams/text/plainName';

describe('isPlainName', () => {
  it.each([
    ...[
      ['build-1', true],
      ['B_2', true],
      ['a'.repeat(64), true],
      ['a'.repeat(65), false],
      ['', false],
    ],
    ...[
      ['a.b', false],
      ['a b', false],
      ['*', false],
      ['a>', false],
      ['a/b', false],
      ['..', false],
      ['ä', false],
    ],
    ...[
      ['a\n', false],
      ['a%20b', false],
    ],
  ] as [string, boolean][])('of %j is %s', (name, expected) => {
    expect(isPlainName(name)).toBe(expected);
  });
});
