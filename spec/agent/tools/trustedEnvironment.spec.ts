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

/** As for a workspace `/w`. */
const trustedPath = (folders: string): string =>
  folders
    .split(':')
    .filter((folder) => folder.startsWith('/') && !folder.startsWith('/w'))
    .join(':');

const trusted = (env: Record<string, string>) => trustedEnvironment(env, trustedPath);

describe('trustedEnvironment', () => {
  it('has what readers need, settings of git, and nothing else', () => {
    const needed = { PATH: '/bin', HOME: '/home/me', LC_CTYPE: 'C.UTF-8', TERM: 'xterm', TMPDIR: '/tmp', TZ: 'UTC' };
    const env = trusted({ ...needed, PAGER: 'less', GIT_PAGER: 'less', CI: '1', MY_VARIABLE: 'x' });
    expect(Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_CONFIG_')))).toEqual({
      ...needed,
      PAGER: 'cat',
      CDPATH: '',
      GIT_PAGER: 'cat',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_NO_LAZY_FETCH: '1',
    });
    expect(read(env)).toEqual(settings);
  });

  it.each(['PATH', 'LD_LIBRARY_PATH', 'HOME', 'XDG_CONFIG_HOME'])('has no folder of the workspace in %s', (name) => {
    expect(trusted({ [name]: '/opt/a b' })[name]).toBe('/opt/a b');
    for (const value of ['/w/x', 'x', '.', '']) expect(trusted({ [name]: value })).not.toHaveProperty(name);
  });

  it('has the entries of lists that are left', () => {
    expect(trusted({ PATH: '/w/bin:/bin:.', LD_LIBRARY_PATH: ':/opt/lib;lib;/w/lib;/b:' })).toMatchObject({
      PATH: '/bin',
      LD_LIBRARY_PATH: '/opt/lib:/b',
    });
  });

  it('keeps the folders of others that git may use, and no other setting of the environment', () => {
    const given = own(['diff.external', './x'], ['safe.directory', '*'], ['core.alternateRefsCommand', './x']);
    expect(read(trusted(given))).toEqual(['safe.directory=*', ...settings]);
  });

  it.each([
    ['is no number', { GIT_CONFIG_COUNT: 'x' }],
    ['is negative', { GIT_CONFIG_COUNT: '-1' }],
    ['is greater than what is there', { GIT_CONFIG_COUNT: '99999999999999' }],
    ['lacks a key', { GIT_CONFIG_COUNT: '1', GIT_CONFIG_VALUE_0: 'x' }],
    ['lacks a value', { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b' }],
  ])('takes the place of given settings over which git would not start: the count %s', (_, env) => {
    expect(read(trusted(env))).toEqual(settings);
  });

  it('leaves the environment that it got alone', () => {
    const env = Object.freeze({ PATH: '/bin' });
    trusted(env);
    expect(env).toEqual({ PATH: '/bin' });
  });
});
