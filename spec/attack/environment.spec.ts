/** Attacks the promise that variables, which a project's environment may have set, run no code in a command that nobody is asked about, and open no folder. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { trustedEnvironment } from '../../src/agent/tools/trustedEnvironment';
import { openSandbox, PATH, runIn } from '../support/exec/sandboxes';
import { openHome, removeHomes } from '../support/home';
import { needs } from '../support/needs/needs';

const inSandbox = needs('sandbox');

afterAll(removeHomes);

/** As for a workspace `/w`. */
const trustedPath = (folders: string): string =>
  folders
    .split(':')
    .filter((folder) => folder.startsWith('/') && !folder.startsWith('/w'))
    .join(':');

describe('the environment of a command that runs unasked', () => {
  const ofBash = [
    'SHELLOPTS',
    'BASHOPTS',
    'PS4',
    'BASH_ENV',
    'ENV',
    'PROMPT_COMMAND',
    'BASH_FUNC_ls%%',
    'BASH_XTRACEFD',
  ];
  const ofLoader = ['LD_PRELOAD', 'LD_AUDIT', 'GCONV_PATH', 'LOCPATH', 'GLIBC_TUNABLES', 'DYLD_INSERT_LIBRARIES'];
  const ofGit = ['GIT_DIR', 'GIT_EXEC_PATH', 'GIT_CONFIG_GLOBAL', 'GIT_EXTERNAL_DIFF', 'GIT_SSH_COMMAND', 'GIT_EDITOR'];
  const ofOthers = ['RIPGREP_CONFIG_PATH', 'GREP_OPTIONS', 'NODE_OPTIONS', 'PYTHONSTARTUP', 'PERL5OPT', 'LESSOPEN'];

  it.each([...ofBash, ...ofLoader, ...ofGit, ...ofOthers])('has no %s, absolute or not', (name) => {
    for (const value of ['./evil', '/w/evil', '/tmp/evil', 'xtrace'])
      expect(trustedEnvironment({ [name]: value }, trustedPath)).toEqual(trustedEnvironment({}, trustedPath));
  });

  it('has none of a name that is not known to be harmless', () => {
    const name = fc
      .stringMatching(/^[A-Z][A-Z0-9_%]{1,20}$/)
      .filter((one) => trustedEnvironment({}, trustedPath)[one] === undefined);
    const few =
      /^(?:PATH|LD_LIBRARY_PATH|HOME|XDG_CONFIG_HOME|PWD|USER|LOGNAME|USERNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|T?E?MP|TMPDIR)$/;
    fc.assert(
      fc.property(name, fc.string(), (one, value) => {
        fc.pre(
          !few.test(one) && !/^(?:COL|NO_COLOR|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|USERPROFILE|.*APPDATA)/.test(one),
        );
        expect(trustedEnvironment({ [one]: value }, trustedPath)).not.toHaveProperty([one]);
      }),
    );
  });

  it('lets a shell run nothing but the command', () => {
    const { work } = openHome();
    const evil = `touch ${work}/RAN`;
    const hostile = { SHELLOPTS: 'xtrace', PS4: `$(${evil})`, BASH_ENV: `${work}/env`, PROMPT_COMMAND: evil };
    const env = trustedEnvironment({ PATH, ...hostile, 'BASH_FUNC_ls%%': `() { ${evil}; }` }, (path) => path);
    const { status } = spawnSync('bash', ['-c', 'ls; pwd'], { cwd: work, env });
    expect([status, existsSync(join(work, 'RAN'))]).toEqual([0, false]);
  });
});

inSandbox.describe('a TMPDIR that is no folder for temporary files', () => {
  it.each([
    ['the folder that holds the home', '.'],
    ['the home', 'home'],
    ['a place of secrets', 'home/.ssh'],
    ['the folder of Codex', 'home/.codex'],
    ['another project', 'other'],
    ['the folder around the workspace', 'around'],
  ])('opens nothing: %s', async (_, folder) => {
    const { at, write } = place();
    expect(await write(at(folder))).toBe('');
  });

  it('is not what a person has for temporary files', async () => {
    const { at, write } = place();
    chmodSync(at('private'), 0o700);
    chmodSync(at('shared'), 0o1777);
    expect([await write(at('private')), await write(at('shared'))]).toEqual(['text', 'text']);
  });
});

/** A home, projects and folders, and a command in the sandbox that writes into a TMPDIR. */
const place = () => {
  const base = realpathSync(openHome().path);
  const at = (path: string) => join(base, path);
  for (const path of ['home/.ssh', 'home/.codex', 'other', 'around/work', 'private', 'shared'])
    mkdirSync(at(path), { recursive: true });
  for (const path of ['home', 'home/.ssh', 'home/.codex', 'around']) chmodSync(at(path), 0o700);
  const cwd = at('around/work');
  const write = async (tmpdir: string): Promise<string> => {
    const own = { cwd, tmpdir, excludeTmpdirEnvVar: false };
    const { asSet } = openSandbox({ own, codexHome: at('home/.codex'), home: at('home') });
    await runIn(asSet, ['sh', '-c', 'printf text >"$0/new"', tmpdir], { cwd, env: { PATH } });
    return existsSync(join(tmpdir, 'new')) ? readFileSync(join(tmpdir, 'new'), 'utf8') : '';
  };
  return { at, write };
};
