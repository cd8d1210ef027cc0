import { loaded } from '../deps';

const allow = (word: string): string => `prefix_rule(["${word}"])`;
const ask = (word: string): string => `prefix_rule(["${word}"], "prompt")`;
const trusted = '[projects."/repo"]\ntrust_level = "trusted"';
const files = {
  '/home/rules/default.rules': allow('a'),
  '/home/rules/more.rules': `${allow('b')}\nhost_executable("b", ["/bin/b"])`,
  '/home/rules/notes.md': 'no rule',
  '/repo/.codex/rules/x.rules': ask('c'),
  '/repo/sub/.codex/rules/default.rules': ask('d'),
};
const at = (cwd: string, toml = '', more: Record<string, string> = {}) =>
  loaded({ toml, cwd, files: { ...files, ...more }, isDirectory: (path) => path !== '/repo/sub/.git' });
const wordsIn = (config: ReturnType<typeof at>) => config.rules?.prefixes.map(({ pattern }) => pattern[0]?.[0]);

describe('the rules of a thread', () => {
  it('are those of the user, and of a project that the user trusts, from its root down', () => {
    expect(wordsIn(at('/repo/sub'))).toEqual(['a', 'b']);
    expect(wordsIn(at('/repo/sub', trusted))).toEqual(['a', 'b', 'c', 'd']);
    expect(wordsIn(at('/repo', trusted))).toEqual(['a', 'b', 'c']);
    expect(wordsIn(at('/repo', trusted.replace('trusted', 'untrusted')))).toEqual(['a', 'b']);
    expect(at('/repo').rules?.programs).toEqual({ b: ['/bin/b'] });
    expect(loaded({}).rules).toBeUndefined();
    const trustedRoots = [at('/repo/sub'), at('/repo/sub', trusted)].map(({ rules }) => rules?.repository);
    expect(trustedRoots).toEqual([undefined, '/repo']); // git that a rule allows runs freely there only
  });

  it('are only stricter because of a project, since a command in its sandbox can write them', () => {
    const planted = [allow('x'), 'host_executable("b", ["/repo/b"])', 'prefix_rule(["y"], "forbidden")'].join('\n');
    const config = at('/repo/sub', trusted, { '/repo/sub/.codex/rules/z.rules': planted });
    expect(wordsIn(config)).toEqual(['a', 'b', 'c', 'd', 'y']);
    expect(config.rules?.programs).toEqual({ b: ['/bin/b'] });
    const why =
      'this rule of a project has no effect, because a project may only forbid commands or have you asked about them; to allow more, put it into the rules of the Codex home';
    expect(config.warnings).toEqual([1, 2].map((line) => `/repo/sub/.codex/rules/z.rules:${line}: ${why}`));
  });

  it('are those of the user if the Codex home lies in the project', () => {
    const files = { '/repo/.codex/config.toml': trusted, '/repo/.codex/rules/x.rules': allow('e') };
    const config = loaded({ cwd: '/repo', codexHome: '/repo/.codex', files });
    expect(wordsIn(config)).toEqual(['e']);
    expect(config.rules?.repository).toBe('/repo');
    expect(config.warnings).toEqual([]);
  });

  it.each(['rules/x.rules', 'hooks.json'])('cannot be kept of a project if they are long: %s', (name) => {
    const long = ' '.repeat(262_145); // a command in the project can write it
    expect(at('/repo', trusted, { [`/repo/.codex/${name}`]: long }).unkept).toEqual([
      `/repo/.codex/${name}: it has more than 262144 characters; remove what is not needed, or do not trust the project`,
    ]);
  });

  it('cannot be kept if a file cannot be read, or distinguishes hosts', () => {
    const bad = at('/repo', '', { '/home/rules/z.rules': 'x = 1\n' });
    expect(bad.unkept).toEqual([expect.stringMatching(/^\/home\/rules\/z\.rules:1: x is not read here; /)]);
    const network = (decision: string) => `network_rule("x.org", "https", "${decision}")`;
    expect(at('/repo', '', { '/home/rules/z.rules': network('deny') }).unkept).toEqual([
      '/home/rules/z.rules:1: the network_rule for x.org cannot be kept, because hosts are not distinguished here; use --engine app-server, or remove the rule and leave the network closed',
    ]);
    const { unkept, warnings } = at('/repo', '', { '/home/rules/z.rules': network('allow') });
    expect({ unkept, warnings }).toEqual({
      unkept: undefined,
      warnings: ['/home/rules/z.rules:1: the network_rule for x.org has no effect: hosts are not distinguished here'],
    });
  });

  it('cannot be kept if their folder cannot be read', () => {
    const readFile = (path: string) => {
      if (path === '/home/rules/default.rules') throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
      return undefined;
    };
    expect(loaded({ readFile }).unkept?.[0]).toMatch(/^\/home\/rules\/default\.rules: cannot be read: /);
  });
});

const HOOK = '[[hooks.PreToolUse]]\nmatcher = "Bash"\nhooks = [{ type = "command", command = "check" }]';
const json = (event: string) =>
  JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command: 'check' }] }] } });
const REMEDY =
  'because no hooks are run here; use --engine app-server, switch all hooks off by -c features.hooks=false, or remove it';
const unkept = (toml: string, files: Record<string, string> = {}) => loaded({ toml, files, cwd: '/repo' }).unkept;

describe('hooks that may forbid something', () => {
  it('cannot be kept, wherever they are', () => {
    expect(unkept('')).toBeUndefined();
    expect(unkept(HOOK)).toEqual([`/home/config.toml:1: the hook PreToolUse cannot be kept, ${REMEDY}`]);
    expect(unkept('', { '/home/hooks.json': json('PermissionRequest') })).toEqual([
      `/home/hooks.json: the hook PermissionRequest cannot be kept, ${REMEDY}`,
    ]);
    const project = { '/repo/.codex/hooks.json': json('UserPromptSubmit') };
    expect(unkept('', project)).toBeUndefined();
    expect(unkept('[projects."/repo"]\ntrust_level = "trusted"', project)).toEqual([
      `/repo/.codex/hooks.json: the hook UserPromptSubmit cannot be kept, ${REMEDY}`,
    ]);
  });

  it('cannot be kept either if their file cannot be read', () => {
    expect(unkept('', { '/home/hooks.json': '[' })).toEqual([
      '/home/hooks.json: no JSON object, so its hooks cannot be kept; use --engine app-server, switch all hooks off by -c features.hooks=false, or remove it',
    ]);
  });

  it('do not matter if they only watch, or are switched off by the operator', () => {
    expect(unkept('', { '/home/hooks.json': json('Stop') })).toBeUndefined();
    expect(unkept(`features.hooks = false\n${HOOK}`)).toBeUndefined();
    expect(loaded({ toml: HOOK, overrides: ['features.hooks=false'] }).unkept).toBeUndefined();
    const call = { config: { features: { hooks: false } } };
    expect(() => loaded({ toml: HOOK }, call)).toThrow('a call may not set features.hooks');
  });
});
