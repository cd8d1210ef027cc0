import { leftPlaceholders } from '../../../src/executor/sandbox/leftPlaceholders';
import { ownersOf } from '../../support/files';
import { memoryFiles, type Tree } from './memoryFiles';

const LIST = '/home/placeholders';

/** A placeholder with a marker of the process, of which 8 lives. */
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
