import { isPlaceholder, reservePaths } from '../../../src/executor/sandbox/enterSandbox';
import { SandboxError } from '../../../src/executor/sandbox/sandbox';
import { ownersOf } from '../../support/files';
import { memoryFiles, type Tree } from './memoryFiles';

const MARKER = '/w/.git/codex-rx-sandbox-7-id';

/** A marker in the placeholder of `.git`, whose process began at `start`. */
const markerOf = (pid: number, start: string): Tree => ({
  '/w/.git': null,
  [`/w/.git/codex-rx-sandbox-${pid}-x`]: JSON.stringify({ pid, start, host: 'here' }),
});

const reserving = (tree: Tree = {}, own: Parameters<typeof memoryFiles>[1] = {}) => {
  const files = memoryFiles({ '/w': null, ...tree }, own);
  const watched: string[] = [];
  const watch = (path: string) => {
    watched.push(`+ ${path}`);
    return () => void watched.push(`- ${path}`);
  };
  const owners = () => ownersOf({ pid: 7, start: 'a', host: 'here' }, { 7: 'a', 8: 'b' });
  const reserve = reservePaths({ files, id: '7-id', owners, watch });
  const paths = () => [...files.tree.keys()].filter((path) => path !== '/' && path !== '/w');
  return { files, reserve, paths, watched };
};

describe('reservePaths', () => {
  it('does nothing for nothing', () => {
    const { reserve, paths, watched } = reserving();
    const { reserved, release } = reserve([]);
    release();
    expect({ reserved, paths: paths(), watched }).toEqual({ reserved: [], paths: [], watched: [] });
  });

  it('puts a folder with a marker at a path, and takes both away', () => {
    const { reserve, paths, watched } = reserving();
    const { reserved, release } = reserve(['/w/.git']);
    expect({ reserved, paths: paths() }).toEqual({ reserved: ['/w/.git'], paths: ['/w/.git', MARKER] });
    release();
    expect({ paths: paths(), watched }).toEqual({ paths: [], watched: [`+ ${MARKER}`, `- ${MARKER}`] });
  });

  it('puts the rules of the repository around into the placeholder of .git, and takes them away', () => {
    const around: Tree = { '/.git': null, '/.git/HEAD': '', '/.gitignore': 'node_modules\n' };
    const { reserve, paths, files, watched } = reserving(around);
    const before = paths();
    const { release } = reserve(['/w/.git', '/w/.codex']);
    expect(files.readText('/w/.git/info/exclude')).toBe('node_modules\n');
    expect(isPlaceholder(files, '/w/.git')).toBe(true);
    expect(watched.slice(0, 2)).toEqual(['+ /w/.git/info/exclude', `+ ${MARKER}`]);
    release();
    expect(paths()).toEqual(before);
  });

  it('keeps the folder until the last sandbox needs it no more', () => {
    const { reserve, paths, watched } = reserving();
    const [one, other] = [reserve(['/w/.git']), reserve(['/w/.git'])];
    one.release();
    expect(paths()).toEqual(['/w/.git', MARKER]);
    other.release();
    expect(paths()).toEqual([]);
    expect(watched).toHaveLength(2);
  });

  it('leaves the folder to another process that needs it', () => {
    const { reserve, paths } = reserving(markerOf(8, 'b'));
    reserve(['/w/.git']).release();
    expect(paths()).toEqual(['/w/.git', '/w/.git/codex-rx-sandbox-8-x']);
  });

  it.each([
    ['a dead process', markerOf(13, 'a')],
    ['a process whose id another has by now', markerOf(8, 'a')],
  ])('takes away what %s left', (_, left) => {
    const { reserve, paths } = reserving(left);
    reserve(['/w/.git']).release();
    expect(paths()).toEqual([]);
  });

  it.each([
    ['of a process that cannot be known', JSON.stringify({ pid: 13, start: 'a', host: 'there' })],
    ['that has no text yet', ''],
  ])('leaves a marker %s', (_, text) => {
    const marker = '/w/.git/codex-rx-sandbox-x';
    const { reserve, paths } = reserving({ '/w/.git': null, [marker]: text });
    reserve(['/w/.git']).release();
    expect(paths()).toEqual(['/w/.git', marker]);
  });

  it('leaves a folder that has become a repository meanwhile', () => {
    const { reserve, paths, files } = reserving();
    const { release } = reserve(['/w/.git']);
    files.makeFile('/w/.git/HEAD', '');
    release();
    expect(paths()).toEqual(['/w/.git', '/w/.git/HEAD']);
  });

  it('leaves out where nothing can be made by anyone', () => {
    const { reserve, paths } = reserving({}, { readOnly: ['/w'] });
    expect(reserve(['/w/.git']).reserved).toEqual([]);
    expect(paths()).toEqual([]);
  });

  it('takes a folder of another user as it is', () => {
    const { reserve, paths } = reserving({ '/w/.git': null }, { readOnly: ['/w/.git'] });
    expect(reserve(['/w/.git']).reserved).toEqual(['/w/.git']);
    expect(paths()).toEqual(['/w/.git']);
  });

  it('throws if a place cannot be read, and releases what it had', () => {
    const { reserve, paths } = reserving({ '/v': null }, { broken: ['/v'] });
    expect(() => reserve(['/w/.git', '/v/.git'])).toThrow(SandboxError);
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
