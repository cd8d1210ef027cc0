import { of, throwError } from 'rxjs';
import { instructionsElsewhere, type Project } from '../../../src/agent/elsewhere/workspaceElsewhere';
import { facts } from '../../executor/server/files';

const missing = (code = 'ENOENT') => throwError(() => Object.assign(new Error(code), { code }));

/** What a model reads of a machine with these files; a text that begins with `->` is a link. */
const read = (texts: Record<string, string>, own: Partial<Project> = {}, mine?: string) => {
  const seen: unknown[] = [];
  const logged: unknown[] = [];
  const fetched: string[] = [];
  const realOf = (path: string): string => (texts[path]?.startsWith('->') ? realOf(texts[path].slice(2)) : path);
  const files = {
    canonical: (path: string) => (texts[path] === undefined ? missing() : of(realOf(path))),
    facts: (path: string) =>
      texts[path] === 'denied' ? missing('EACCES') : of(facts({ size: texts[path]?.length ?? 0 })),
    read: (path: string, maxBytes: number) => {
      fetched.push(path);
      return of(Buffer.from(texts[path] ?? '').subarray(0, maxBytes));
    },
  };
  const readOwn = (path: string) => (path === '/home/me/.codex/AGENTS.md' ? mine : undefined);
  const log = (...record: unknown[]) => void logged.push(record);
  const project = { cwd: '/srv/site/sub', repository: '/srv/site', maxBytes: 100, ...own };
  instructionsElsewhere({ files, readOwn, codexHome: '/home/me/.codex', log }, project).subscribe((text) =>
    seen.push(text),
  );
  return { text: seen[0], logged, fetched };
};

describe('instructionsElsewhere', () => {
  it('reads those of the project there, from its root down, after those of the user here', () => {
    const texts = { '/srv/AGENTS.md': 'above', '/srv/site/AGENTS.md': 'root', '/srv/site/sub/AGENTS.md': 'sub' };
    expect(read(texts, {}, 'mine').text).toBe('mine\n\n--- project-doc ---\n\nroot\n\nsub');
    expect(read(texts).text).toBe('root\n\nsub');
  });

  it('reads the folder alone where there is no repository, and nothing where there is nothing', () => {
    const texts = { '/srv/site/AGENTS.md': 'root', '/srv/site/sub/AGENTS.md': 'sub' };
    expect(read(texts, { repository: undefined }).text).toBe('sub');
    expect(read({}).text).toBeUndefined();
  });

  it('prefers an override to AGENTS.md, and reads other names in folders without either', () => {
    const texts = {
      '/srv/site/AGENTS.md': 'root',
      '/srv/site/AGENTS.override.md': 'override',
      '/srv/site/sub/CLAUDE.md': 'sub',
    };
    expect(read(texts, { fallbacks: ['CLAUDE.md'] }).text).toBe('override\n\nsub');
  });

  it('takes no more than there may be, none where there may be none', () => {
    const texts = { '/srv/site/AGENTS.md': 'root', '/srv/site/sub/AGENTS.md': 'sub' };
    expect(read(texts, { maxBytes: 5 }).text).toBe('root\n\ns');
    expect(read(texts, { maxBytes: 0 }, 'mine').text).toBe('mine');
  });

  it('does not follow a link out of the project, nor take a file there for the one of the user', () => {
    const texts = {
      '/srv/site/AGENTS.md': '->/etc/secret',
      '/etc/secret': 'secret',
      '/srv/site/sub/AGENTS.md': '->/srv/site/a',
      '/srv/site/a': 'a',
    };
    expect(read(texts)).toMatchObject({ text: 'a', fetched: ['/srv/site/a'] });
    const same = { '/home/me/.codex/AGENTS.md': 'theirs' };
    expect(read(same, { cwd: '/home/me/.codex', repository: undefined }, 'mine').text).toBe(
      'mine\n\n--- project-doc ---\n\ntheirs',
    );
  });

  it('goes on without one that cannot be read, and logs it', () => {
    const { text, logged } = read({ '/srv/site/AGENTS.md': 'denied', '/srv/site/sub/AGENTS.md': 'sub' });
    expect(text).toBe('sub');
    expect(logged).toEqual([
      ['warning', 'instructions could not be read', { path: '/srv/site/AGENTS.md', reason: 'EACCES' }],
    ]);
  });

  it('does not fetch a file of any length that a repository has', () => {
    const { text, logged, fetched } = read({ '/srv/site/AGENTS.md': 'x'.repeat(4_194_305) });
    expect([text, fetched]).toEqual([undefined, []]);
    expect(JSON.stringify(logged)).toContain('it has 4194305 bytes');
  });
});
