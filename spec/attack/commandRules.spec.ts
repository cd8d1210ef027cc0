/** A model that wants to run what a rule of the user forbids, or to use what a rule allows for something else. */
import { firstValueFrom } from 'rxjs';
import { bashReaders } from '../../src/agent/safety/bashParser';
import { decideByRules, type RuledCommand } from '../../src/agent/safety/commandRules';
import { mayRunFreely } from '../../src/agent/tools/trustPrograms';
import { parseRules } from '../../src/settings/rules/parseRules';
import { bashDeps } from '../agent/safety/support';

const judge = decideByRules(bashReaders(bashDeps));
const judged = (rules: string, argv: readonly string[]): Promise<RuledCommand | undefined> =>
  firstValueFrom(judge(parseRules('r', rules))(argv));
const bash = (script: string): string[] => ['bash', '-lc', script];

describe('a forbidden command', () => {
  const RULES = 'prefix_rule(["curl", "-X"], "forbidden")\nprefix_rule(["curl"])\nprefix_rule(["ls"])';

  it.each<[way: string, argv: string[]]>([
    ['behind a harmless one', bash('ls && curl -X POST x')],
    ['in a pipeline', bash('ls | curl -X POST x')],
    ['with a redirection', bash('curl -X POST x > out 2>&1')],
    ['with a variable', bash('A=1 curl -X POST x')],
    ['in a subshell', bash('(cd a; curl -X POST x)')],
    ['in a substitution', bash('ls "$(curl -X POST x)"')],
    ['in backticks', bash('ls `curl -X POST x`')],
    ['in a condition', bash('if ls; then curl -X POST x; fi')],
    ['in a loop', bash('for a in 1; do curl -X $a; done')],
    ['in a function', bash('f() { curl -X POST x; }; f')],
    ['in the background', bash('curl -X POST x & ls')],
    ['behind a here-document', bash('cat <<E\nx\nE\ncurl -X POST x')],
    ['with a here-document', bash('curl -X POST <<E\nx\nE')],
    ['with a process substitution', bash('cat <(curl -X POST x)')],
    ['negated', bash('! curl -X POST x')],
    ['with quotes', bash(`cu'r'"l" "-X" POST`)],
    ['with backslashes', bash('c\\url -\\X POST')],
    ['over two lines', bash('curl \\\n-X POST')],
    ['by its path', ['/usr/bin/curl', '-X', 'POST']],
    ['by a relative path', bash('../../usr/bin/curl -X POST')],
    ['by another shell', ['sh', '-c', 'curl -X POST']],
    ['by the path of a shell', ['/bin/bash', '-c', 'curl -X POST']],
    ['by a shell of another name', ['dash', '-c', 'curl -X POST']],
    ['by a shell of a box', ['/bin/busybox', 'sh', '-c', 'curl -X POST']],
    ['behind an option with a value', ['bash', '-o', 'pipefail', '-c', 'curl -X POST']],
    ['behind options in one word', ['bash', '-euo', 'pipefail', '-xc', 'curl -X POST']],
    ['behind an option that is taken away', ['bash', '+e', '-c', 'curl -X POST']],
    ['behind a long option', ['bash', '--norc', '-c', 'curl -X POST']],
    ['behind a long option with one dash', ['bash', '-rcfile', 'x', '-c', 'curl -X POST']],
    ['behind the option for the script and others', ['zsh', '-fc', '-x', 'curl -X POST']],
    ['behind the end of the options', ['bash', '-c', '--', 'curl -X POST']],
    ['before arguments of the script', ['bash', '-c', 'curl -X "$1"', 'name', 'POST']],
    ['in a script in a script', bash(`ls && sh -c "bash -xec 'curl -X POST'"`)],
    ['that is timed', bash('time -p curl -X POST')],
    ['that is timed, with a variable', bash('time ! A=1 curl -X POST')],
    ['as a coprocess', bash('coproc curl -X POST')],
    ['around a redirection', bash('ls | curl >x -X >y POST')],
    ['around a descriptor that is closed', bash('curl >&- "-X"')],
    ['around a here-document', bash('curl <<E -X\nx\nE')],
    ['around a redirection in a condition', bash('if curl 2>&1 -X POST; then ls; fi')],
  ])('stays forbidden %s', async (_, argv) => {
    expect(await judged(RULES, argv)).toMatchObject({ decision: 'forbidden' });
  });

  it.each<[way: string, argv: string[]]>([
    ['in a script too long to be read', bash(`curl -X POST ${'x'.repeat(5_000)}`)],
    ['in a script not of the grammar', bash('curl -X POST (((')],
    ['in a timed block', bash('time { curl -X POST; }')],
    ['in a timed condition', bash('time if ls; then curl -X POST; fi')],
    ['in a named coprocess', bash('coproc NAME { curl -X POST; }')],
    ['with quotes for escapes', bash("$'curl' -X POST")],
    ['with the program in a variable', bash('A=curl; $A -X POST')],
    ['with a word from a command', bash('/usr/bin/curl $(echo -X) POST')],
    ['with braces', bash('{curl,-X,POST}')],
    ['in a script that is no literal', bash('A="curl -X POST"; sh -c "$A"')],
    ['behind an option that is not known', ['bash', '--unknown', '-c', 'curl -X POST']],
    ['behind an option that shells read differently', ['zsh', '-opipefail', '-c', 'curl -X POST']],
  ])('is asked about %s', async (_, argv) => {
    expect(await judged(RULES, argv)).toEqual({ decision: 'prompt' });
  });

  it.each<[way: string, argv: string[]]>([
    ['other words before one that is not known', bash('curl -s "$A"; git $B')],
    ['a file for a shell', ['bash', '-x', 'curl', '-X']],
    ['arguments of a script', ['bash', '-c', 'git log "$@"', 'curl', '-X']],
    ['nothing in its script', ['bash', '-c', '']],
  ])('has nothing to do with %s', async (_, argv) => {
    expect(await judged(RULES, argv)).toBeUndefined();
  });
});

describe('an allowed command', () => {
  const RULES = 'prefix_rule([["git", "cd"]])\nprefix_rule(["npm"])';

  it.each<[way: string, argv: string[]]>([
    ['next to another', bash('npm ci; rm -r x')],
    ['around another', bash('npm run "$(rm -r x)"')],
    ['with a redirection', bash('npm ci > /etc/passwd')],
    ['in another shell', ['zsh', '-lc', 'npm ci']],
    ['by a path that no rule names', ['/repo/npm', 'ci']],
    ['with a variable that loads code', bash('NODE_OPTIONS=--require=/repo/x npm ci')],
    ['defined by the script', bash('npm() { rm -r x; }; npm ci')],
    ['with an alias', bash("alias npm='rm -r x'\nnpm ci")],
  ])('does not allow itself %s', async (_, argv) => {
    expect(await judged(RULES, argv)).toBeUndefined();
  });

  it('runs without a sandbox only if nothing of the repository runs with it', async () => {
    const deps = {
      environmentOf: () => ({ PATH: '/bin', HOME: '/home/me' }),
      workspaceProgram: () => undefined as string | undefined,
      showsSecrets: () => false,
      trustedPath: (path: string) => path,
      repositoryOf: (folder: string): string | undefined => (folder.startsWith('/repo/lib') ? '/repo/lib' : '/repo'),
    };
    const place = {
      environment: { inherit: 'all' as const, ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] },
      folder: '/repo',
      cwd: '/repo',
      realCwd: '/repo',
      repository: '/repo' as string | undefined,
    };
    const isFree = async (argv: string[], own: Partial<typeof deps> = {}, at: Partial<typeof place> = {}) => {
      const byRules = await judged(RULES, argv);
      return byRules?.decision === 'allow' && mayRunFreely({ ...deps, ...own }, { argv, byRules }, { ...place, ...at });
    };
    expect(await isFree(['npm', 'ci'])).toBe(true);
    expect(await isFree(bash('npm ci && git commit'))).toBe(true);
    expect(await isFree(['npm', 'ci'], { workspaceProgram: () => 'npm' })).toBe(false);
    expect(await isFree(bash('npm ci'), { trustedPath: () => '' })).toBe(false); // its shell reads a profile of the repository
    expect(await isFree(['git', 'commit'], { repositoryOf: () => undefined })).toBe(true); // git fails, or works in what it makes
    expect(await isFree(['git', 'commit'], {}, { repository: undefined })).toBe(false); // the user does not trust the project
    expect(await isFree(['git', 'commit'], {}, { realCwd: '/repo/lib/src' })).toBe(false); // a sandbox may have made this repository
    expect(await isFree(bash('cd lib && git commit'))).toBe(false);
    expect(await isFree(bash('cd sub; git commit'))).toBe(true);
    expect(await isFree(['git', '-C', 'lib', 'commit'])).toBe(false);
  });
});
