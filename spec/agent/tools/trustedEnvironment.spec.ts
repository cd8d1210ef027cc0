import { trustedEnvironment } from '../../../src/agent/tools/trustedEnvironment';

const settings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'safe.bareRepository=explicit',
  'log.showSignature=false',
  'gpg.program=false',
  'gpg.openpgp.program=false',
  'gpg.x509.program=false',
  'gpg.ssh.program=false',
  'diff.ignoreSubmodules=dirty',
  'index.threads=1',
];

/** The settings as git reads them from the environment. */
const read = (env: Record<string, string>): string[] =>
  Array.from(
    { length: Number(env.GIT_CONFIG_COUNT) },
    (_, i) => `${env[`GIT_CONFIG_KEY_${i}`]}=${env[`GIT_CONFIG_VALUE_${i}`]}`,
  );

const own = (...pairs: [string, string][]): Record<string, string> =>
  Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(pairs.length)],
    ...pairs.flatMap(([key, value], i) => [
      [`GIT_CONFIG_KEY_${i}`, key],
      [`GIT_CONFIG_VALUE_${i}`, value],
    ]),
  ]);

describe('trustedEnvironment', () => {
  it('keeps what is there, but for pagers, locks, fetches and code to run', () => {
    const code = {
      BASH_ENV: './x',
      GIT_EXTERNAL_DIFF: './x',
      RIPGREP_CONFIG_PATH: '.ripgreprc',
      'BASH_FUNC_ls%%': '() {\n  ./x\n}',
    };
    const env = trustedEnvironment({ PATH: '/bin', PAGER: 'less', GIT_PAGER: 'less', ...code });
    expect(Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_CONFIG_')))).toEqual({
      PATH: '/bin',
      PAGER: 'cat',
      CDPATH: '',
      GIT_PAGER: 'cat',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_NO_LAZY_FETCH: '1',
    });
    expect(read(env)).toEqual(settings);
  });

  it('loads no code from the folder that the command runs in', () => {
    const of = (env: Record<string, string>) => {
      const { LD_AUDIT, LD_LIBRARY_PATH, LD_PRELOAD, GCONV_PATH } = trustedEnvironment(env);
      return [LD_AUDIT, LD_LIBRARY_PATH, LD_PRELOAD, GCONV_PATH].filter((value) => value !== undefined);
    };
    expect(of({ LD_AUDIT: './x.so', LD_LIBRARY_PATH: ':lib', LD_PRELOAD: 'lib/x.so', GCONV_PATH: '.' })).toEqual([]);
    expect(of({ LD_LIBRARY_PATH: ':/opt/a b/lib;lib;/b:', LD_PRELOAD: './x.so /c.so' })).toEqual([
      '/opt/a b/lib:/b',
      '/c.so',
    ]);
  });

  it('comes after the settings that are given already', () => {
    const given = own(['safe.directory', '*'], ['core.fsmonitor', 'true']);
    expect(read(trustedEnvironment(given))).toEqual(['safe.directory=*', 'core.fsmonitor=true', ...settings]);
  });

  it('leaves out given settings that name programs', () => {
    const given = own(
      ['diff.external', './x'],
      ['safe.directory', '*'],
      ['Filter.x.clean', './x'],
      ['include.path', 'x'],
    );
    expect(read(trustedEnvironment(given))).toEqual(['safe.directory=*', ...settings]);
  });

  it('lets git use the repository that was checked, and no settings that win over ours', () => {
    const elsewhere = { GIT_DIR: '/x', GIT_WORK_TREE: '/x', GIT_COMMON_DIR: '/x', GIT_INDEX_FILE: 'x' };
    const files = { GIT_CONFIG_GLOBAL: '.gitconfig', GIT_CONFIG_SYSTEM: '', GIT_EXEC_PATH: './bin' };
    const homes = { HOME: '.', XDG_CONFIG_HOME: 'xdg' };
    const env = trustedEnvironment({
      ...elsewhere,
      ...files,
      ...homes,
      GIT_CONFIG_PARAMETERS: "'core.fsmonitor'='./x'",
    });
    expect(env).toEqual(trustedEnvironment({}));
    const absolute = { GIT_CONFIG_GLOBAL: '/etc/x', HOME: '/home/me' };
    expect(trustedEnvironment(absolute)).toMatchObject(absolute);
  });

  it.each([
    ['is no number', { GIT_CONFIG_COUNT: 'x' }],
    ['is negative', { GIT_CONFIG_COUNT: '-1' }],
    ['lacks a key', { GIT_CONFIG_COUNT: '1', GIT_CONFIG_VALUE_0: 'x' }],
    ['lacks a value', { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b' }],
  ])('takes the place of given settings over which git would not start: the count %s', (_, env) => {
    expect(read(trustedEnvironment(env))).toEqual(settings);
  });

  it('leaves the environment that it got alone', () => {
    const env = Object.freeze({ PATH: '/bin' });
    trustedEnvironment(env);
    expect(env).toEqual({ PATH: '/bin' });
  });
});
