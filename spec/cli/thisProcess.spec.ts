import { homedir } from 'node:os';
import { join } from 'node:path';
import { thisProcess } from '../../src/cli/thisProcess';

describe('thisProcess', () => {
  const { CODEX_HOME, HOME } = process.env;
  afterEach(() => Object.assign(process.env, { ...(CODEX_HOME && { CODEX_HOME }), ...(HOME && { HOME }) }));

  it('has the facts of this process, its folder as the one that is named', () => {
    expect(thisProcess('sub')).toMatchObject({
      env: process.env,
      cwd: join(process.cwd(), 'sub'),
      node: process.execPath,
      platform: process.platform,
      arch: process.arch,
      version: expect.stringMatching(/^\d+\./),
    });
    expect(thisProcess().cwd).toBe(process.cwd());
  });

  it('finds the home of Codex by CODEX_HOME, else by HOME, else where the system has it', () => {
    process.env.CODEX_HOME = 'rel';
    expect(thisProcess().codexHome).toBe(join(process.cwd(), 'rel'));
    delete process.env.CODEX_HOME;
    process.env.HOME = '/h';
    expect(thisProcess().codexHome).toBe('/h/.codex');
    delete process.env.HOME;
    expect(thisProcess().codexHome).toBe(join(homedir(), '.codex'));
  });
});
