import { mayWrite } from '../../../src/executor/sandbox/mayWrite';

const roots = { workspace: ['/ws'], temporary: ['/tmp'] };
const links: Record<string, string> = { '/link/home': '/ws/home' };
const may = mayWrite({ files: { realpath: (path) => links[path] }, own: ['/ws/dist', '/link/home'] }, roots);

describe('mayWrite', () => {
  it.each(['/ws/a', '/ws/a/b', '/tmp/x', '/ws/.gitignore', '/ws/a.git/x', '/ws/distance'])('allows %s', (path) => {
    expect(may(path)).toBe(true);
  });

  it.each([
    ...['/', '/w', '/wsx', '/ws/.git/config', '/ws/.git', '/ws/.GIT/hooks/x', '/ws/.Codex/config.toml'],
    ...['/ws/vendor/lib/.git/config', '/tmp/.git/config', '/ws/dist/main.cjs', '/ws/home/auth.json', '/etc/passwd'],
  ])('does not allow %s', (path) => {
    expect(may(path)).toBe(false);
  });

  it('allows nothing where there is no root', () => {
    const none = mayWrite({ files: { realpath: () => undefined }, own: [] }, { workspace: [], temporary: [] });
    expect(none('/ws/a')).toBe(false);
  });
});
