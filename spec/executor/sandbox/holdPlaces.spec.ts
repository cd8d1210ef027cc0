import { holdPlaces, isPlaceholder } from '../../../src/executor/sandbox/holdPlaces';
import { SandboxError } from '../../../src/executor/sandbox/sandbox';
import { memoryFiles, type Tree } from './memoryFiles';

const MARKER = '/w/.git/codex-rx-sandbox-7-id';

const holding = (tree: Tree = {}, own: Parameters<typeof memoryFiles>[1] = {}) => {
  const files = memoryFiles({ '/w': null, ...tree }, own);
  const watched: string[] = [];
  const watch = (path: string) => {
    watched.push(`+ ${path}`);
    return () => void watched.push(`- ${path}`);
  };
  const hold = holdPlaces({ files, holder: { pid: 7, id: 'id' }, isAlive: (pid) => pid !== 13, watch });
  const paths = () => [...files.tree.keys()].filter((path) => path !== '/' && path !== '/w');
  return { files, hold, paths, watched };
};

describe('holdPlaces', () => {
  it('does nothing for nothing', () => {
    const { hold, paths, watched } = holding();
    const { held, release } = hold([]);
    release();
    expect({ held, paths: paths(), watched }).toEqual({ held: [], paths: [], watched: [] });
  });

  it('puts a folder with a marker at a path, and takes both away', () => {
    const { hold, paths, watched } = holding();
    const { held, release } = hold(['/w/.git']);
    expect({ held, paths: paths() }).toEqual({ held: ['/w/.git'], paths: ['/w/.git', MARKER] });
    release();
    expect({ paths: paths(), watched }).toEqual({ paths: [], watched: [`+ ${MARKER}`, `- ${MARKER}`] });
  });

  it('keeps the folder until the last sandbox needs it no more', () => {
    const { hold, paths, watched } = holding();
    const [one, other] = [hold(['/w/.git']), hold(['/w/.git'])];
    one.release();
    expect(paths()).toEqual(['/w/.git', MARKER]);
    other.release();
    expect(paths()).toEqual([]);
    expect(watched).toHaveLength(2);
  });

  it('leaves the folder to another process that needs it', () => {
    const { hold, paths } = holding({ '/w/.git': null, '/w/.git/codex-rx-sandbox-8-x': '' });
    hold(['/w/.git']).release();
    expect(paths()).toEqual(['/w/.git', '/w/.git/codex-rx-sandbox-8-x']);
  });

  it('takes away what a dead process left', () => {
    const { hold, paths } = holding({ '/w/.git': null, '/w/.git/codex-rx-sandbox-13-x': '' });
    hold(['/w/.git']).release();
    expect(paths()).toEqual([]);
  });

  it('leaves a folder that has become a repository meanwhile', () => {
    const { hold, paths, files } = holding();
    const { release } = hold(['/w/.git']);
    files.makeFile('/w/.git/HEAD');
    release();
    expect(paths()).toEqual(['/w/.git', '/w/.git/HEAD']);
  });

  it('leaves out where nothing can be made by anyone', () => {
    const { hold, paths } = holding({}, { readOnly: ['/w'] });
    expect(hold(['/w/.git']).held).toEqual([]);
    expect(paths()).toEqual([]);
  });

  it('takes a folder of another user as it is', () => {
    const { hold, paths } = holding({ '/w/.git': null }, { readOnly: ['/w/.git'] });
    expect(hold(['/w/.git']).held).toEqual(['/w/.git']);
    expect(paths()).toEqual(['/w/.git']);
  });

  it('throws where a place cannot be read, and releases what it had', () => {
    const { hold, paths } = holding({ '/v': null }, { broken: ['/v'] });
    expect(() => hold(['/w/.git', '/v/.git'])).toThrow(SandboxError);
    expect(paths()).toEqual(['/v']);
  });
});

describe('isPlaceholder', () => {
  it.each<[string, Tree, boolean]>([
    ['a folder that is not there', {}, false],
    ['an empty folder, which somebody made', { '/w/.git': null }, false],
    ['a folder with a marker', { '/w/.git': null, [MARKER]: '' }, true],
    ['a repository with a marker', { '/w/.git': null, [MARKER]: '', '/w/.git/HEAD': '' }, false],
  ])('knows %s', (_, tree, expected) => {
    expect(isPlaceholder(memoryFiles({ '/w': null, ...tree }), '/w/.git')).toBe(expected);
  });
});
