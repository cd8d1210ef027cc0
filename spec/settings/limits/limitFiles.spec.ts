import type { ThreadSettings } from '../../../src/protocol/codex/settings';
import { loaded, refusal, type World } from '../deps';

/** `/project/out` and `/project/keys` are links; so is the way to the secrets of the user. */
const LINKS: Record<string, string> = { '/project/out': '/etc/hostname', '/keys': '/u/.ssh' };
const world = (own: Partial<NonNullable<World>> = {}): World => ({
  env: { HOME: '/u' },
  realpath: (path) => LINKS[path] ?? path,
  readFile: () => 'text',
  toml: undefined,
  ...own,
  ...(own.toml === undefined && { readFile: (path: string) => (path.endsWith('.toml') ? undefined : 'text') }),
});

const naming = (file: string, own: ThreadSettings = {}): ThreadSettings => ({
  ...own,
  config: { experimental_instructions_file: file },
});

describe('limitFiles', () => {
  it.each(['/etc/hostname', '../x.md', '/project/out', '/home/auth.json'])('refuses a call that names %s', (file) => {
    expect(refusal(world(), naming(file))).toMatch(
      /^argument config, key experimental_instructions_file: a call may name a file in its folder \/project only, .* --allow-call-config experimental_instructions_file lets calls name any file$/,
    );
  });

  it.each(['model_instructions_file', 'experimental_compact_prompt_file', 'model_catalog_json'])(
    'refuses a file for %s of newer releases',
    (key) => {
      expect(refusal(world(), { config: { [key]: '/etc/hostname' } })).toMatch(/^argument config, key /);
    },
  );

  it('refuses a secret in the folder of the call', () => {
    expect(refusal(world(), naming('.netrc', { cwd: '/u' }))).toMatch(/\/u\/\.netrc is not such a file/);
  });

  it.each<[World, ThreadSettings]>([
    [world(), naming('docs/AGENT.md')],
    [world(), naming('AGENT.md', { cwd: 'sub' })],
    [world({ limits: { lock: false, allowCallOverride: true, allowCallConfig: [] } }), naming('/etc/hostname')],
    [
      world({
        limits: { lock: false, allowCallOverride: false, allowCallConfig: ['experimental_instructions_file'] },
      }),
      naming('/etc/hostname'),
    ],
    [world({ overrides: ['experimental_instructions_file=/etc/hostname'] }), {}],
  ])('lets a file be named: %#', (own, settings) => {
    expect(loaded(own, settings).baseInstructions).toBe('text');
  });

  it('lets a file be named whose text is not used', () => {
    const settings = naming('/etc/hostname', { baseInstructions: 'Be brief.' });
    expect(loaded(world(), settings).baseInstructions).toBe('Be brief.');
  });

  it.each(['/u/.ssh', '/u/.ssh/sub', '/keys', '/u/.aws'])('refuses the folder %s', (cwd) => {
    expect(refusal(world(), { cwd })).toMatch(
      /^the call asks to work in .*, a place of keys and passwords; name another folder/,
    );
  });

  it('refuses to make a place of secrets writable', () => {
    const config = { sandbox_workspace_write: { writable_roots: ['/data', '/u/.ssh'] } };
    expect(refusal(world(), { config })).toMatch(/^the call asks to work in \/u\/\.ssh, /);
  });

  it('lets a thread work where the server was started', () => {
    expect(loaded(world({ cwd: '/u/.ssh' }), { cwd: 'sub' }).cwd).toBe('/u/.ssh/sub');
    expect(loaded(world({ cwd: '/u/.ssh' })).cwd).toBe('/u/.ssh');
  });
});
