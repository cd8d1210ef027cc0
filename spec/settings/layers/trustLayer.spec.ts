import { trustLayer } from '../../../src/settings/compose';
import { type Toml, tableOf } from '../../../src/settings/layer';
import { depsOf } from '../deps';

const trusted = { approval_policy: 'on-request', sandbox_mode: 'workspace-write' };
const projects = (levels: Record<string, Toml>) => [
  [
    {
      path: [],
      value: tableOf({
        projects: tableOf(
          ...Object.entries(levels).map(([root, trust_level]) => ({ [root]: tableOf({ trust_level }) })),
        ),
      }),
      folder: '/home',
      where: (path: readonly string[]) => `line of ${path.join(' ')}`,
    },
  ],
];
/** `/repo` is a repository; `/link` is a link to `/repo/sub`. */
const deps = depsOf({
  isDirectory: (path) => path === '/repo/.git',
  realpath: (path) => (path === '/link' ? '/repo/sub' : path),
});
const layer = (cwd: string, levels: Record<string, Toml>) =>
  trustLayer(deps, cwd, projects(levels)).map(({ where, value, folder }) => ({
    value: { ...(value as object) },
    folder,
    where: where([]),
  }));
const of = (value: object, cwd: string, root: string) => [
  { value, folder: cwd, where: `line of projects ${root} trust_level` },
];

describe('trustLayer', () => {
  it.each([
    ['the folder itself     ', '/w', { '/w': 'trusted' }, of(trusted, '/w', '/w')],
    ['an untrusted folder   ', '/w', { '/w': 'untrusted' }, of({ approval_policy: 'untrusted' }, '/w', '/w')],
    ['its repository        ', '/repo/sub', { '/repo': 'trusted' }, of(trusted, '/repo/sub', '/repo')],
    [
      'the nearest of both   ',
      '/repo/sub',
      { '/repo': 'trusted', '/repo/sub': 'untrusted' },
      of({ approval_policy: 'untrusted' }, '/repo/sub', '/repo/sub'),
    ],
    ['what a link leads to  ', '/link', { '/repo': 'trusted' }, of(trusted, '/link', '/repo')],
    ['no other folder       ', '/other', { '/repo': 'trusted' }, []],
    ['no folder above       ', '/w/sub', { '/w': 'trusted' }, []],
    ['no other level        ', '/w', { '/w': 'toString' }, []],
    ['no projects           ', '/w', {}, []],
  ])('has the defaults of %s', (_, cwd, levels, expected) => {
    expect(layer(cwd, levels)).toEqual(expected);
  });
});
