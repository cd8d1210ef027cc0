/** A bubblewrap that is led astray: a command in another sandbox moves folders while it looks for what it is to mount. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATH, type Result, raceSandbox, runIn } from '../support/exec/sandboxes';
import { needs } from '../support/needs/needs';

const { describe } = needs('sandbox');

const REFUSED = /^the sandbox could not be made: \S+ is not what it was a moment before; try again/;

/** Stands in for bubblewrap: runs a command first, leaves out what is mounted at `without`, and mounts what else `more` says, before the command. */
const strayBubblewrap = (more: readonly string[], without: string, before: string): string => `#!/bin/bash
${before}
args=()
while [ "$1" != --chdir ]; do
  if [ "$1" = --ro-bind ] && [ "$3" = '${without}' ]; then shift 3; else args+=("$1"); shift; fi
done
exec /usr/bin/bwrap "\${args[@]}" ${more.map((arg) => `'${arg}'`).join(' ')} "$@"
`;

describe('the mounts of a sandbox', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx mounts-')));
  const at = (path: string) => join(base, path);
  const folders = ['root', 'root/.git', 'root/sub', 'outside', 'home', 'home/.ssh', 'codex'];
  for (const folder of folders) mkdirSync(at(folder));
  writeFileSync(at('home/.ssh/id'), 'private');
  writeFileSync(at('root/.git/HEAD'), '');

  const bwrap = at('bwrap');
  const run = (
    more: readonly string[],
    own: { without?: string; before?: string; shell?: 'bash' | 'sh'; env?: object } = {},
  ) => {
    writeFileSync(bwrap, strayBubblewrap(more, own.without ?? '', own.before ?? ''), { mode: 0o700 });
    const find = (name: string) =>
      name === 'bwrap' ? bwrap : name === own.shell || name === 'env' ? `/usr/bin/${name}` : undefined;
    const backend = raceSandbox(at('root'), { codexHome: at('codex'), home: at('home'), find });
    const script = `touch '${at('outside/new')}' '${at('root/.git/new')}'; cat '${at('home/.ssh/id')}' '${at('root/.git/id')}'; env`;
    return runIn(backend, ['/bin/sh', '-c', script], { cwd: '/', env: { PATH, ...own.env } });
  };
  const seen = ({ stdout, stderr, exitCode }: Result) => ({ stdout, refused: REFUSED.test(stderr), exitCode });
  const nothing = { stdout: '', refused: true, exitCode: 126 };

  afterEach(() => {
    expect([existsSync(at('outside/new')), readdirSync(at('root/.git'))]).toEqual([false, ['HEAD']]);
  });
  afterAll(() => rmSync(base, { recursive: true }));

  it.each(['bash', 'sh'] as const)(
    'are as they were ordered, so the command runs with its environment: %s',
    async (shell) => {
      const env = { may: '1', root: '2', type: '3', mount: 'a b' };
      const { stdout, exitCode } = await run([], { shell, env });
      const sorted = stdout.trim().split('\n').sort();
      const own = ['CODEX_SANDBOX_NETWORK_DISABLED=1', 'may=1', 'mount=a b', `PATH=${PATH}`, 'root=2', 'type=3'];
      expect([exitCode, sorted.filter((line) => !/^(PWD|OLDPWD|_|SHLVL)=/.test(line))]).toEqual([0, own.sort()]);
    },
  );

  it('keep a name free if another user takes away the folder that stands in for it', async () => {
    const { exitCode, stdout } = await run([], {
      before: `rm -r '${at('root/.codex')}'`,
      env: { place: at('root/.codex') },
    });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('place=')]);
    expect(existsSync(at('root/.codex'))).toBe(false);
  });

  it.each(['bash', 'sh'] as const)('hide a file, unless it is gone by then, or empty: %s', async (shell) => {
    const login = at('home/.netrc');
    writeFileSync(login, 'private');
    expect(seen(await run([], { shell, without: login }))).toEqual(nothing);
    for (const before of [`: > '${login}'`, `rm '${login}'`]) {
      const { exitCode, stderr } = await run([], { shell, without: login, before });
      expect([exitCode, REFUSED.test(stderr)]).toEqual([0, false]);
    }
  });

  it.each<[string, readonly string[], string?]>([
    ['a folder outside that can be written', ['--bind', at('outside'), at('outside')]],
    ['a folder outside in the place of one inside', ['--bind', at('outside'), at('root/sub')]],
    ['a folder outside in the place of devices', ['--bind', at('outside'), '/dev']],
    ['the whole disk', ['--bind', '/', '/']],
    ['a hidden folder, shown again', ['--ro-bind', at('home/.ssh'), at('home/.ssh')]],
    ['a hidden folder, shown elsewhere', ['--ro-bind', at('home/.ssh'), at('root/.git')]],
    ['.git, not kept', [], at('root/.git')],
    ['.git, kept and opened again', ['--bind', at('root/.git'), at('root/.git')]],
    ['programs, replaced', ['--ro-bind', at('root/sub'), '/usr/local']],
  ])('are not: %s', async (_, more, without = '') => {
    expect(seen(await run(more, { shell: 'bash', without }))).toEqual(nothing);
  });

  it.each<[string, readonly string[], string?]>([
    ['a folder outside that can be written', ['--bind', at('outside'), at('outside')]],
    ['.git, not kept', [], at('root/.git')],
  ])('are not, with a shell that is not bash: %s', async (_, more, without = '') => {
    expect(seen(await run(more, { shell: 'sh', without }))).toEqual(nothing);
  });

  it('are checked without the code that the environment brings', async () => {
    const env = { LD_PRELOAD: at('root/evil.so'), BASH_ENV: at('root/evil.sh') };
    writeFileSync(at('root/evil.sh'), 'refuse() { :; }; exit 0');
    expect(seen(await run(['--bind', at('outside'), at('outside')], { shell: 'bash', env }))).toEqual(nothing);
    expect((await run([], { shell: 'bash', env })).stderr).toContain('LD_PRELOAD cannot be preloaded'); // it reaches the command
  });
});
