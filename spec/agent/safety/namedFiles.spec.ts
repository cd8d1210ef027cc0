import { firstValueFrom, of } from 'rxjs';
import { bashReaders } from '../../../src/agent/safety/bashParser';
import { namedFiles } from '../../../src/agent/safety/namedFiles';
import { bashDeps } from './support';

const { wordsIn } = bashReaders(bashDeps);
beforeAll(() => firstValueFrom(wordsIn('')));

/** The paths that are looked at, of which these exist. */
const look = (argv: readonly string[], existing: readonly string[] = [], programs: readonly string[] = []) => {
  const looked: string[] = [];
  let files: unknown;
  namedFiles({
    wordsIn,
    marksOf: (paths) => {
      looked.push(...paths);
      return of(paths.map((path) => (existing.includes(path) ? `bytes of ${path}` : undefined)));
    },
  })(argv, { folder: '/w', programs }).subscribe((found) => {
    files = found;
  });
  return { looked: looked.sort(), files };
};

describe('namedFiles', () => {
  it('looks at each word, and at each part of one', () => {
    expect(look(['sh', '-c', 'a --b=c.py']).looked).toEqual(
      ['--b', '--b=c.py', '-c', 'a', 'c.py', 'sh'].map((name) => `/w/${name}`),
    );
  });

  it('looks in folders that a script enters, one after another', () => {
    const { files } = look(['sh', '-c', 'cd a; cd b; ./x'], ['/w/a/b/x', '/w/b/x', '/w/c/x']);
    expect(files).toEqual([
      { name: './x', mark: 'bytes of /w/a/b/x' },
      { name: './x', mark: 'bytes of /w/b/x' },
    ]);
  });

  it('looks for programs of the workspace, if a name has no slash', () => {
    const { files } = look(['tool', './tool'], ['/w/bin/tool'], ['/w/bin']);
    expect(files).toEqual([{ name: 'tool', mark: 'bytes of /w/bin/tool' }]);
  });

  it('does not know the files of a command that names very many paths', () => {
    const names = Array.from({ length: 1_025 }, (_, i) => `f${i}`);
    expect([look(names).files, look(names.slice(1)).files]).toEqual([undefined, []]);
  });

  it('looks at nothing of a long script', () => {
    expect(look(['sh', '-c', 'cd a; > b '.repeat(1_000)])).toEqual({ looked: [], files: undefined });
  });
});
