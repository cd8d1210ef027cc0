import { readOnce } from '../../../src/executor/sandbox/sandboxFiles';
import { memoryFiles, type Tree } from './memoryFiles';

describe('readOnce', () => {
  it('asks for each path once, also for one that is not there, but again for another check', () => {
    const kindOf = jest.fn((path: string) => (path === '/w' ? ('folder' as const) : undefined));
    const files = { ...memoryFiles({}), kindOf };
    for (const once of [readOnce(files), readOnce(files)])
      expect(['/w', '/gone', '/w', '/gone'].map(once.kindOf)).toEqual(['folder', undefined, 'folder', undefined]);
    expect(kindOf.mock.calls.map(([path]) => path)).toEqual(['/w', '/gone', '/w', '/gone']);
  });

  it('finds a path as the disk does, also over links and upwards', () => {
    const tree: Tree = {
      '/w': null,
      '/w/a': null,
      '/w/a/b': '',
      '/w/link': { link: '/w/a' },
      '/w/lost': { link: '/gone' },
    };
    const files = memoryFiles(tree);
    const { realpath } = readOnce(files);
    for (const path of ['/', '/w', '/w/a/b', '/w/link', '/w/link/b', '/w/lost', '/w/gone/b', '/w/link/gone'])
      expect([path, realpath(path)]).toEqual([path, files.realpath(path)]);
    expect(['/w/link/../a', '/w/a/../../w', '/w/a/b/..'].map(realpath)).toEqual(['/w/a', '/w', undefined]);
  });
});
