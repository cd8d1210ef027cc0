import { closedPlaceOf, refuseClosed } from '../../../src/executor/sandbox/closedPlaces';
import { memoryFiles } from './memoryFiles';

describe('closedPlaceOf', () => {
  it.each([
    ['/w/.git', '/w/.git'],
    ['/w/.git/modules/lib/.git/hooks', '/w/.git'],
    ['/w/sub/.GIT/hooks', '/w/sub/.GIT'],
    ['/w/.Codex. /rules', '/w/.Codex. '],
    ['/w/git~1', '/w/git~1'],
    ['/v/program/bin', '/v/program'],
    ['/v/home/prompts', '/v/home'],
    ['/v/bare/hooks', '/v/bare'],
    ['/v/bare', '/v/bare'],
    ['/usr/lib/node_modules', '/usr/lib'],
    ['/v/home/worktrees', '/v/home'],
    ['/w/.codex/worktrees', '/w/.codex'],
    ['/w/.codex/worktrees/x/.git', '/w/.codex/worktrees/x/.git'],
    ['/w/.git/worktrees/x', '/w/.git'],
    ['/dev/shm', '/dev'],
  ])('finds what %s lies in: %s', (path, place) => {
    expect(closedPlaceOf(deps, path)).toBe(place);
  });

  it.each(['/w/.codex/worktrees/x', '/v/home/worktrees/x/sub'])(
    'finds nothing for a work tree of Codex: %s',
    (path) => {
      expect(closedPlaceOf(deps, path)).toBe(undefined);
    },
  );

  it.each(['/', '/w', '/w/a.git/x', '/w/.github', '/v', '/v/programs', '/v/bare/tree', '/v/bare/tree/sub', '/usr/src'])(
    'finds nothing for %s',
    (path) => {
      expect(closedPlaceOf(deps, path)).toBe(undefined);
    },
  );
});

describe('refuseClosed', () => {
  it('names the place and the remedy, also behind a link', () => {
    const refused = (folder: string) => () => refuseClosed(deps, folder);
    const remedy =
      'no command may write: it is the Codex home, or belongs to codex-rx; name the folder of a project, or the sandbox read-only';
    expect(refused('/v/link/prompts')).toThrow(`/v/link/prompts lies in /v/home, which ${remedy}`);
    expect(refused('/v/home')).toThrow(`/v/home is a place that ${remedy}`);
    expect(refused('/v/bare/hooks')).toThrow('lies in /v/bare, which no command may write: git or Codex obeys it;');
    expect(refused('/usr/lib/x')).toThrow('lies in /usr/lib, which no command may write: it belongs to the system;');
    expect(refused('/v/bare/tree')).not.toThrow();
  });
});

const deps = {
  files: memoryFiles({
    '/v': null,
    '/v/link': { link: '/v/home' },
    '/v/home': null,
    '/v/home/prompts': null,
    '/v/bare': null,
    '/v/bare/HEAD': 'ref: refs/heads/main',
    '/v/bare/objects': null,
    '/v/bare/refs': null,
    '/v/bare/tree': null,
    '/v/bare/tree/.git': 'gitdir: /v/bare/worktrees/tree',
  }),
  closed: ['/v/program', '/v/link'],
};
