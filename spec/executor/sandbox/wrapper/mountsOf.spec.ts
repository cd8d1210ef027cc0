import type { Sandbox } from '../../../../src/executor/sandbox/sandbox';
import { mountsOf } from '../../../../src/executor/sandbox/wrapper/mountsOf';

const sandbox = (own: Partial<Sandbox>): Sandbox => ({
  writable: [],
  readOnly: [],
  hidden: [],
  network: 'closed',
  ...own,
});
const shown = (own: Partial<Sandbox>): string[] => mountsOf(sandbox(own)).map(({ kind, path }) => `${kind} ${path}`);

describe('mountsOf', () => {
  it.each<[string, Partial<Sandbox>, string[]]>([
    ['nothing', {}, []],
    ['one root', { writable: ['/w'] }, ['writable /w']],
    [
      'what is kept inside a root, after it',
      { readOnly: ['/w/.git', '/w/.codex'], writable: ['/w'] },
      ['writable /w', 'readOnly /w/.codex', 'readOnly /w/.git'],
    ],
    [
      'nothing that is outside and so read-only already',
      { writable: ['/w'], readOnly: ['/v/.git', '/w2'] },
      ['writable /w'],
    ],
    [
      'nothing in what is read-only, but what is kept of a root in it',
      { writable: ['/w', '/w/.git/v'], readOnly: ['/w/.git', '/w/.git/m/a', '/w/.git/m', '/w/.git/v/.git'] },
      ['writable /w', 'readOnly /w/.git', 'writable /w/.git/v', 'readOnly /w/.git/v/.git'],
    ],
    [
      'an empty folder inside a root, and none outside',
      { writable: ['/w'], empty: ['/w/.git', '/v/.git'] },
      ['writable /w', 'empty /w/.git'],
    ],
    [
      'a sparse folder, what it shows, and its links',
      {
        sparse: [{ path: '/c', shown: ['/c/skills', '/c/sessions'], links: [{ path: '/c/p', target: '/d' }] }],
        hidden: [
          { path: '/c/sessions', kind: 'folder' },
          { path: '/c/auth.json', kind: 'file' },
        ],
      },
      ['sparse /c', 'link /c/p', 'shown /c/skills', 'hiddenFile /c/auth.json', 'hiddenFolder /c/sessions'],
    ],
    [
      'a sparse folder in a root, and nothing else of it, but a root inside with what that keeps',
      {
        writable: ['/w', '/w/c/a'],
        readOnly: ['/w/c', '/w/c/state', '/w/c/a/.git', '/w/c/a/x/y'],
        sparse: [{ path: '/w/c', shown: ['/w/c/a'], links: [] }],
      },
      [
        ...['writable /w', 'sparse /w/c', 'writable /w/c/a', 'readOnly /w/c/a/.git', 'writable /w/c/a/x'],
        'readOnly /w/c/a/x/y',
      ],
    ],
    ['a root inside a root', { writable: ['/w/a', '/w'] }, ['writable /w', 'writable /w/a']],
    [
      'the folders on the way, which cannot be moved then',
      { writable: ['/w', '/w/a/b/c'], readOnly: ['/w/d/e/.git'] },
      [
        ...['writable /w', 'writable /w/a', 'writable /w/a/b', 'writable /w/a/b/c'],
        ...['writable /w/d', 'writable /w/d/e', 'readOnly /w/d/e/.git'],
      ],
    ],
    [
      'no writable folder on the way through what is read-only',
      { writable: ['/w', '/w/.codex/trees/one'], readOnly: ['/w/.codex'] },
      ['writable /w', 'readOnly /w/.codex', 'writable /w/.codex/trees/one'],
    ],
    [
      'hidden files and folders, wherever they are, after the others',
      {
        writable: ['/w'],
        hidden: [
          { path: '/h/.netrc', kind: 'file' },
          { path: '/w/.ssh', kind: 'folder' },
        ],
      },
      ['writable /w', 'hiddenFile /h/.netrc', 'hiddenFolder /w/.ssh'],
    ],
    [
      'nothing inside a hidden folder',
      {
        writable: ['/h/.ssh/w'],
        readOnly: ['/h/.ssh/w/.git'],
        hidden: [
          { path: '/h/.ssh', kind: 'folder' },
          { path: '/h/.ssh/id', kind: 'file' },
        ],
      },
      ['hiddenFolder /h/.ssh'],
    ],
    [
      'one mount for a path, the strongest',
      { writable: ['/w', '/w/x'], readOnly: ['/w/x', '/w/y'], hidden: [{ path: '/w/y', kind: 'file' }] },
      ['writable /w', 'readOnly /w/x', 'hiddenFile /w/y'],
    ],
    ['a root whose name begins like another', { writable: ['/w', '/w-x/y'] }, ['writable /w', 'writable /w-x/y']],
  ])('has %s', (_, own, expected) => {
    expect(shown(own)).toEqual(expected);
  });
});
