import { isPlaceholder, leftPlaceholders, reservePaths } from '../../../src/executor/sandbox/placeholders';
import { SandboxError } from '../../../src/executor/sandbox/sandbox';
import { ownersOf } from '../../support/files';
import { memoryFiles, type Tree } from './memoryFiles';

const MARKER = '/w/.git/codex-rx-sandbox-7-id';
const KEPT = '/w/.git/codex-rx-sandbox-kept';

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

const LIST = '/home/placeholders';

/** A placeholder with the marker of a process; process 8 still runs. */
const placeOf = (path: string, pid: number): Tree => ({
  [path]: null,
  [`${path}/codex-rx-sandbox-${pid}-x`]: JSON.stringify({ pid, start: 'b', host: 'here' }),
});

const places = (tree: Tree, list?: string) => {
  const files = memoryFiles({ '/w': null, '/v': null, ...tree });
  const texts = new Map(list === undefined ? [] : [[LIST, list]]);
  const failures: string[] = [];
  const notes = {
    read: (path: string) => texts.get(path),
    replace: (path: string, text: string) => void texts.set(path, text),
    open: (path: string) => ({
      append: (text: string) => void texts.set(path, (texts.get(path) ?? '') + text),
      close: () => {},
    }),
  };
  const owners = () => ownersOf({ pid: 7, start: 'a', host: 'here' }, { 7: 'a', 8: 'b' });
  const deps = {
    notes: notes as never,
    list: LIST,
    files,
    owners,
    failed: ({ message }: Error) => failures.push(message),
  };
  const paths = () => [...files.tree.keys()].filter((path) => !['/', '/w', '/v'].includes(path));
  return { deps, texts, failures, paths, ...leftPlaceholders(deps) };
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

  it('leaves an empty folder that was there to its user, also if another process needs it longer', () => {
    const { files, reserve, paths } = reserving({ '/w/.git': null });
    const owners = () => ownersOf({ pid: 8, start: 'b', host: 'here' }, { 7: 'a', 8: 'b' });
    const other = reservePaths({ files, id: '8-id', owners, watch: () => () => {} });
    const one = reserve(['/w/.git']);
    const two = other(['/w/.git']);
    expect(paths()).toEqual(['/w/.git', MARKER, KEPT, '/w/.git/codex-rx-sandbox-8-id']);
    one.release();
    two.release();
    expect(paths()).toEqual(['/w/.git']);
  });

  it('removes a folder that it made after another process had removed its own', () => {
    const { reserve, paths, files } = reserving({ '/w/.git': null });
    const { makeFile } = files;
    const meanwhile = [() => files.removeFolder('/w/.git')];
    files.makeFile = (path, text) => {
      meanwhile.pop()?.();
      return makeFile(path, text);
    };
    const { release } = reserve(['/w/.git']);
    expect(paths()).toEqual(['/w/.git', MARKER]);
    release();
    expect(paths()).toEqual([]);
  });

  it('leaves an empty folder that was there and takes no marker to its user', () => {
    const { reserve, paths, watched } = reserving({ '/w/.git': null }, { readOnly: ['/w/.git'] });
    const { reserved, release } = reserve(['/w/.git']);
    release();
    expect([reserved, paths(), watched]).toEqual([['/w/.git'], ['/w/.git'], []]);
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

describe('leftPlaceholders', () => {
  it('writes each path once', () => {
    const { note, texts } = places({});
    for (const path of ['/w/.git', '/w/.codex', '/w/.git']) note(path);
    expect(texts.get(LIST)).toBe('"/w/.git"\n"/w/.codex"\n');
  });

  it('removes what a process left that has ended, and keeps what others need', () => {
    const { clean, texts, paths } = places(
      { ...placeOf('/w/.git', 9), ...placeOf('/v/.git', 8) },
      '"/w/.git"\n"/v/.git"\n"/gone"\nbroken\n',
    );
    clean();
    expect(paths()).toEqual(['/v/.git', '/v/.git/codex-rx-sandbox-8-x']);
    expect(texts.get(LIST)).toBe('"/v/.git"\n');
  });

  it('removes the rules in a placeholder of .git with it', () => {
    const rules: Tree = { '/w/.git/info': null, '/w/.git/info/exclude': 'x\n' };
    const { clean, paths } = places({ ...placeOf('/w/.git', 9), ...rules }, '"/w/.git"\n');
    clean();
    expect(paths()).toEqual([]);
  });

  it('removes its own files from a folder of the user, empty or filled since', () => {
    const tree = { ...placeOf('/w/.git', 9), [KEPT]: '', '/v/.git': null, '/v/.git/codex-rx-sandbox-kept': '' };
    const { clean, paths, texts } = places({ ...tree, '/v/.git/HEAD': '' }, '"/w/.git"\n"/v/.git"\n');
    clean();
    expect([paths(), texts.get(LIST)]).toEqual([['/w/.git', '/v/.git', '/v/.git/HEAD'], '']);
  });

  it('leaves a folder alone that somebody made in that place', () => {
    const { clean, paths } = places({ '/w/.git': null, '/v/.git': null, '/v/.git/HEAD': '' }, '"/w/.git"\n"/v/.git"\n');
    clean();
    expect(paths()).toEqual(['/w/.git', '/v/.git', '/v/.git/HEAD']);
  });

  it('does nothing without a list, and reports a list that cannot be used', () => {
    const { clean, failures, deps } = places({});
    clean();
    expect(failures).toEqual([]);
    const full = (): never => {
      throw new Error('no space');
    };
    const broken = leftPlaceholders({ ...deps, notes: { read: full, open: full, replace: full } });
    broken.clean();
    broken.note('/w/.git');
    expect(failures).toEqual(['no space', 'no space']);
  });
});
