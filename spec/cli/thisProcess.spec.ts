import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { codexHomeOf, homeOf, startFolder, thisProcess, variablesOf } from '../../src/cli/thisProcess';

jest.mock('node:os', () => ({ ...jest.requireActual('node:os'), userInfo: jest.fn() }));

const system = jest.mocked(userInfo);

const nobody = (): string => {
  throw new Error('uv_os_get_passwd returned ENOENT');
};

const deleted = (): never => {
  throw Object.assign(new Error('ENOENT: no such file or directory, uv_cwd'), { code: 'ENOENT' });
};

describe('thisProcess', () => {
  const { CODEX_HOME, HOME } = process.env;
  beforeEach(() => system.mockReturnValue({ homedir: '/passwd' } as never));
  afterEach(() => {
    for (const name of ['CODEX_HOME', 'HOME']) delete process.env[name];
    Object.assign(process.env, { ...(CODEX_HOME && { CODEX_HOME }), ...(HOME && { HOME }) });
  });

  it('has the facts of this process, its folder as the one that is named', () => {
    expect(thisProcess('sub')).toMatchObject({
      env: process.env,
      cwd: join(process.cwd(), 'sub'),
      home: homedir(),
      node: process.execPath,
      platform: process.platform,
      arch: process.arch,
      version: expect.stringMatching(/^\d+\./),
    });
    expect(thisProcess().cwd).toBe(process.cwd());
  });

  it('finds the home of Codex by CODEX_HOME, else by HOME, else where the system has it', () => {
    process.env.CODEX_HOME = 'rel';
    expect(thisProcess('sub').codexHome).toBe(join(process.cwd(), 'rel'));
    delete process.env.CODEX_HOME;
    process.env.HOME = '/h';
    expect(thisProcess().codexHome).toBe('/h/.codex');
    delete process.env.HOME;
    expect(thisProcess().codexHome).toBe('/passwd/.codex');
  });

  it('never takes the folder it was started in for the home', () => {
    Object.assign(process.env, { CODEX_HOME: '', HOME: '' });
    expect(thisProcess()).toMatchObject({ home: '/passwd', codexHome: '/passwd/.codex' });
    process.env.HOME = '.';
    expect(thisProcess()).toMatchObject({ home: '/passwd', codexHome: '/passwd/.codex' });
  });

  it('names the variables to set if the user has no home, and needs none of them with CODEX_HOME', () => {
    system.mockImplementation(() => {
      throw new Error('uv_os_get_passwd returned ENOENT');
    });
    Object.assign(process.env, { CODEX_HOME: '', HOME: '' });
    expect(() => thisProcess()).toThrow(
      'This user has no home folder: HOME and CODEX_HOME are not set, and the system knows none; set HOME, or set CODEX_HOME to a folder for the configuration',
    );
    process.env.CODEX_HOME = '/c';
    expect(thisProcess()).toMatchObject({ codexHome: '/c' });
    expect(thisProcess().home).toBeUndefined();
  });
});

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

describe('startFolder', () => {
  it('is the working folder', () => {
    expect(startFolder({ cwd: () => '/work', env: { PWD: '/link' } })).toBe('/work');
  });

  it.each([
    [{ PWD: '/gone' }, '/gone'],
    [{ PWD: 'gone' }, '/'],
    [{}, '/'],
  ])('is the path that the shell knew where the folder was deleted: %j', (env, path) => {
    expect(startFolder({ cwd: deleted, env })).toBe(path);
  });
});

describe('variablesOf', () => {
  it('finds those of Windows by their names in capital letters, and leaves others as they are', () => {
    const env = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows' };
    expect(variablesOf({ env, platform: 'win32' })).toEqual({ PATH: 'C:\\bin', SYSTEMROOT: 'C:\\Windows' });
    expect(variablesOf({ env, platform: 'linux' })).toBe(env);
  });
});
