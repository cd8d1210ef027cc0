import { foldersOf, type KnownWords } from '../../src/safety';

describe('foldersOf', () => {
  it.each<[string, KnownWords[], string[]]>([
    ['the folder it starts in', [['ls', 'a']], ['/w']],
    [
      'where cd leads, and where it started, for cd may fail',
      [
        ['cd', 'a'],
        ['git', 'status'],
      ],
      ['/w', '/w/a'],
    ],
    [
      'each combination of several',
      [
        ['cd', 'a'],
        ['cd', '../b'],
      ],
      ['/w', '/w/a', '/b', '/w/b'],
    ],
    ['an absolute folder', [['cd', '/x'], ['ls']], ['/w', '/x']],
    [
      'the same folder once',
      [
        ['cd', '.'],
        ['cd', '.'],
      ],
      ['/w'],
    ],
  ])('knows %s', (_, commands, expected) => {
    expect(foldersOf(commands, '/w')).toEqual(expected);
  });

  it.each<[string, KnownWords[]]>([
    ['the home folder', [['cd']]],
    ['the folder before', [['cd', '-']]],
    ['options', [['cd', '-P', 'a']]],
    ['two words', [['cd', 'a', 'b']]],
    ['an empty word', [['cd', '']]],
    ['a word that depends on files', [['cd', undefined]]],
    ['more folders than are worth a look', ['a', 'b', 'c', 'd', 'e'].map((name) => ['cd', name])],
  ])('does not know %s', (_, commands) => {
    expect(foldersOf(commands, '/w')).toBeUndefined();
  });
});
