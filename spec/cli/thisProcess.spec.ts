import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { thisProcess } from '../../src/cli/thisProcess';

jest.mock('node:os', () => ({ ...jest.requireActual('node:os'), userInfo: jest.fn() }));
const system = jest.mocked(userInfo);

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
      'This user has no home folder: HOME and CODEX_HOME are not set, and the system knows none. Set HOME, or set CODEX_HOME to a folder for the configuration',
    );
    process.env.CODEX_HOME = '/c';
    expect(thisProcess()).toMatchObject({ codexHome: '/c' });
    expect(thisProcess().home).toBeUndefined();
  });
});
