import type { KnownWords } from '../../../src/agent/safety/script';
import { climbsBack, showsSecrets, workingFolders } from '../../../src/agent/safety/trustedPaths';

describe('workingFolders', () => {
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
    expect(workingFolders(commands, '/w')).toEqual(expected);
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
    expect(workingFolders(commands, '/w')).toBeUndefined();
  });
});

describe('climbsBack', () => {
  it.each(['a/..', 'a/../b', '../a/..', '/a/b/../c', 'a//./../b', './a/..', '.../..', '--file=a/../b'])(
    'finds the folder above a name in %s',
    (path) => {
      expect(climbsBack(path)).toBe(true);
    },
  );

  it.each(['', '.', '..', '../..', './../a', '/..', '../../a/b', 'a/..b', 'a/b..', 'a/./b'])(
    'passes over %s',
    (path) => {
      expect(climbsBack(path)).toBe(false);
    },
  );
});

const links: Record<string, string> = { '/w/link': '/home/u/.ssh/id_rsa' };
const shows = (commands: KnownWords[], folders = ['/w']): boolean =>
  showsSecrets({ realpath: (path) => links[path], secrets: () => ['/home/u/.ssh', '/home/u/.netrc'] })(
    commands,
    folders,
  );

describe('showsSecrets', () => {
  it.each<[string, KnownWords, string[]]>([
    ['a file in the workspace', ['cat', 'a/b', '../w/c'], ['/w']],
    ['a pattern and its file', ['grep', '-n', '^x', 'src'], ['/w']],
    ['a range of lines', ['sed', '-n', '1,3p', 'f'], ['/w']],
    ['words that are no files', ['echo', '/home/u/.ssh'], ['/w']],
    ['names of files', ['ls', '/home/u/.ssh'], ['/w']],
    ['folders above', ['cat', '.././../w/c'], ['/w/a']],
    ['a search that follows no links', ['grep', '-rn', '--color', 'x', 'a'], ['/w']],
  ])('passes over %s', (_, words, folders) => {
    expect(shows([words], folders)).toBe(false);
  });

  it.each<[string, KnownWords, string[]]>([
    ['a secret file', ['cat', '/home/u/.netrc'], ['/w']],
    ['a file in a secret folder', ['head', '../home/u/.ssh/id_rsa'], ['/w']],
    ['a folder above one', ['rg', 'key', '/home/u'], ['/w']],
    ['the root', ['grep', '-r', 'key', '/'], ['/w']],
    ['a link to one', ['cat', 'link'], ['/w']],
    ['the environment of a process', ['cat', '/proc/1/environ'], ['/w']],
    ['a word that depends on files', ['cat', undefined], ['/w']],
    ['a search that follows links', ['grep', '-nR', 'x'], ['/w']],
    ['the same by its long name', ['grep', '--dereference-recursive', 'x'], ['/w']],
    ['the same of another program', ['rg', '--follow', 'x'], ['/w']],
    ['the folder above one that may be a link', ['cat', 'a/../b'], ['/w']],
    ['the same with more slashes', ['cat', './a/.//../b'], ['/w']],
    ['a path behind a flag', ['grep', '--file=/home/u/.netrc', 'x'], ['/w']],
    ['a path behind a short flag', ['grep', '-f/home/u/.netrc', 'x'], ['/w']],
    ['a path behind several short flags', ['grep', '-rnf/home/u/.netrc', 'x'], ['/w']],
    ['a folder that holds one', ['rg', 'key'], ['/w', '/home/u']],
  ])('finds %s', (_, words, folders) => {
    expect(shows([['ls'], words], folders)).toBe(true);
  });
});
