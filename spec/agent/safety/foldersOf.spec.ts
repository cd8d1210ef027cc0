import type { KnownWords } from '../../../src/agent/safety/readTrust';
import { foldersOf } from '../../../src/agent/safety/trustedPaths';

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
        ['cd', './b'],
      ],
      ['/w', '/w/a', '/w/b', '/w/a/b'],
    ],
    ['the folder above', [['cd', '../../b/./c']], ['/w', '/b/c']],
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
    ['the folder above a name, which may be a link', [['cd', 'a/../b']]],
    [
      'the folder above another one, which may be a link',
      [
        ['cd', 'a'],
        ['cd', '../b'],
      ],
    ],
    ['more folders than are worth a look', ['a', 'b', 'c', 'd', 'e'].map((name) => ['cd', name])],
  ])('does not know %s', (_, commands) => {
    expect(foldersOf(commands, '/w')).toBeUndefined();
  });
});
