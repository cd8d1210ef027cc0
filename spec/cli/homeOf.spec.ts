import { codexHomeOf, homeOf } from '../../src/cli/thisProcess';

const nobody = (): string => {
  throw new Error('uv_os_get_passwd returned ENOENT');
};

describe('homeOf', () => {
  it.each([
    ['HOME', { HOME: '/h' }, '/h'],
    ['the system, if HOME is not set', {}, '/passwd'],
    ['the system, if HOME is empty', { HOME: '' }, '/passwd'],
    ['the system, if HOME is relative', { HOME: 'checkout' }, '/passwd'],
    ['the system, if HOME is the current folder', { HOME: '.' }, '/passwd'],
  ])('takes the home of %s', (_, env, expected) => {
    expect(homeOf({ env, platform: 'linux', fromSystem: () => '/passwd' })).toBe(expected);
  });

  it.each([
    ['is not in passwd', nobody],
    ['has an empty home', () => ''],
    ['has a relative home', () => 'home'],
  ])('finds none for a user who %s', (_, fromSystem) => {
    expect(homeOf({ env: { HOME: '' }, platform: 'linux', fromSystem })).toBeUndefined();
  });

  it('does not ask the system if HOME is set', () => {
    expect(homeOf({ env: { HOME: '/h' }, platform: 'linux', fromSystem: nobody })).toBe('/h');
  });

  it('knows the variable of Windows there only', () => {
    const env = { USERPROFILE: '/u' };
    expect(homeOf({ env, platform: 'win32', fromSystem: nobody })).toBe('/u');
    expect(homeOf({ env, platform: 'linux', fromSystem: nobody })).toBeUndefined();
  });
});

describe('codexHomeOf', () => {
  it.each([
    [{ CODEX_HOME: '/c' }, '/h', '/c'],
    [{ CODEX_HOME: 'rel' }, '/h', '/start/rel'],
    [{ CODEX_HOME: '/c' }, undefined, '/c'],
    [{ CODEX_HOME: '' }, '/h', '/h/.codex'],
    [{}, '/h', '/h/.codex'],
    [{}, undefined, undefined],
    [{ CODEX_HOME: '' }, undefined, undefined],
  ])('of %j with the home %j is %j', (env, home, expected) => {
    expect(codexHomeOf(env, { home, folder: '/start' })).toBe(expected);
  });
});
