import { environmentOf } from '../../src/executor/environment';
import type { EnvPolicy } from '../../src/protocol/exec/process';

const env = {
  PATH: '/bin',
  HOME: '/home/me',
  LANG: 'C',
  OPENAI_API_KEY: 'k',
  my_secret_thing: 's',
  GITHUB_TOKEN: 't',
  EMPTY: '',
  GONE: undefined,
};
const policy = (own: Partial<EnvPolicy> = {}): EnvPolicy => ({
  inherit: 'all',
  ignoreDefaultExcludes: false,
  exclude: [],
  set: {},
  includeOnly: [],
  ...own,
});
const namesOf = (own: Partial<EnvPolicy>, variables: Record<string, string> = {}) =>
  Object.keys(environmentOf({ ...env, ...variables }, policy(own)));

describe('environmentOf', () => {
  it.each([...['DB_PASSWORD', 'mysql_passwd', 'APP_PWD', 'GH_PAT', 'AWS_CREDENTIALS', 'GPG_PASSPHRASE', 'SMTP_PASS']])(
    'drops %s',
    (name) => {
      expect(namesOf({}, { [name]: 'x' })).not.toContain(name);
    },
  );

  it.each([
    ['DATABASE_URL', 'postgres://me:hunter2@db/x'],
    ['REDIS', 'redis://:hunter2@cache:6379'],
    ['DSN', 'Server=db;User Id=me;Password=hunter2;'],
  ])('drops %s, which holds a password', (name, value) => {
    expect(namesOf({}, { [name]: value })).not.toContain(name);
    expect(namesOf({ ignoreDefaultExcludes: true }, { [name]: value })).toContain(name);
  });

  it.each([
    ['PWD', '/w'],
    ['OLDPWD', '/'],
    ['PATH_INFO', 'x'],
    ['SITE', 'https://example.org:8080/a@b'],
    ['COMPASS', 'n'],
  ])('keeps %s', (name, value) => {
    expect(namesOf({}, { [name]: value })).toContain(name);
  });

  it('passes all but what is named like a secret', () => {
    expect(environmentOf(env, policy())).toEqual({ PATH: '/bin', HOME: '/home/me', LANG: 'C', EMPTY: '' });
  });

  it.each<[string, Partial<EnvPolicy>, string[]]>([
    ['the core alone', { inherit: 'core' }, ['HOME', 'PATH']],
    ['nothing', { inherit: 'none' }, []],
    [
      'secrets where it is set so',
      { ignoreDefaultExcludes: true },
      ['PATH', 'HOME', 'LANG', 'OPENAI_API_KEY', 'my_secret_thing', 'GITHUB_TOKEN', 'EMPTY'],
    ],
    ['not what is excluded, in any case', { exclude: ['l?NG', 'em*'] }, ['PATH', 'HOME']],
    ['not by a part of a name', { exclude: ['LAN', 'ATH'] }, ['PATH', 'HOME', 'LANG', 'EMPTY']],
    ['only what is included', { includeOnly: ['*H', 'home'] }, ['PATH', 'HOME']],
    ['what is set, also a secret', { inherit: 'none', set: { MY_KEY: '1' } }, ['MY_KEY']],
    ['what is set only if it is included', { set: { A: '1', B: '2' }, includeOnly: ['A'] }, ['A']],
    ['what is set even if it is excluded', { inherit: 'none', set: { A: '1' }, exclude: ['A'] }, ['A']],
  ])('passes %s', (_, own, names) => {
    expect(namesOf(own)).toEqual(names);
  });

  it('keeps the names of the settings that git is configured to expect', () => {
    const git = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c', GIT_CONFIG_KEY_X: 'k' };
    const kept = ['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0'];
    expect(Object.keys(environmentOf(git, policy()))).toEqual(kept);
    expect(Object.keys(environmentOf(git, policy({ exclude: ['*_0'] })))).toEqual(['GIT_CONFIG_COUNT']);
  });

  it('lets what is set win over what is inherited', () => {
    expect(environmentOf({ A: '1', B: '2' }, policy({ set: { A: '3' } }))).toEqual({ A: '3', B: '2' });
  });

  it('takes the signs of regular expressions as they stand', () => {
    const odd = { 'A.B': '1', AxB: '2', 'C(D': '3', 'E\\F': '4', 'G\nH': '5' };
    expect(namesOf({ includeOnly: ['A.B', 'C(*', 'E\\?', 'G*H'] }, odd)).toEqual(['A.B', 'C(D', 'E\\F', 'G\nH']);
  });

  it('takes no name for a member of every object', () => {
    const set = JSON.parse('{"__proto__":"1","constructor":"2"}') as Record<string, string>;
    expect(Object.entries(environmentOf({}, policy({ set })))).toEqual(Object.entries(set));
    expect(environmentOf({}, policy({ inherit: 'core' }))).toEqual({});
  });
});
