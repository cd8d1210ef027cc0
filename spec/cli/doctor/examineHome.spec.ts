import { chmodSync, existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { examineHome } from '../../../src/cli/doctor/examineHome';
import { wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';

afterAll(removeHomes);

const codexHome = () => wired().wiring.processInfo.codexHome;

describe('examineHome', () => {
  it('writes to it, and leaves no lock', () => {
    const home = codexHome();
    expect(examineHome({ codexHome: home, platform: 'linux' })).toEqual({ text: `${home} can be written` });
    expect(readdirSync(join(home, 'codex-rx/locks'))).toEqual([]);
  });

  it('warns of a home that others can write, and of logins that they can read', () => {
    const home = codexHome();
    const examined = (platform = 'linux') => examineHome({ codexHome: home, platform });
    writeFileSync(join(home, 'auth.json'), '{}', { mode: 0o600 });
    expect(examined()).toEqual({ text: `${home} can be written` });
    chmodSync(join(home, 'auth.json'), 0o644);
    expect(examined()).toMatchObject({
      state: 'warning',
      text: expect.stringContaining(`chmod 600 ${home}/auth.json`),
    });
    chmodSync(home, 0o777);
    expect(examined()).toMatchObject({ state: 'warning', remedy: expect.stringContaining(`chmod 700 ${home}`) });
    expect(examined('win32')).toEqual({ text: `${home} can be written` });
  });

  it('finds a home, or a login in it, that cannot be looked at', () => {
    const home = codexHome();
    symlinkSync('loop', join(home, 'loop'));
    expect(examineHome({ codexHome: join(home, 'loop'), platform: 'linux' })).toMatchObject({
      state: 'fault',
      text: `${join(home, 'loop')} cannot be looked at: ELOOP: too many symbolic links encountered`,
    });
    symlinkSync('auth.json', join(home, 'auth.json'));
    expect(examineHome({ codexHome: home, platform: 'linux' })).toEqual({
      state: 'warning',
      text: `${join(home, 'auth.json')} cannot be looked at: ELOOP: too many symbolic links encountered`,
    });
  });

  it('does not make a home that is not there, and names the folder where it cannot be made', () => {
    const home = codexHome();
    const missing = join(home, 'a/b');
    expect(examineHome({ codexHome: missing, platform: 'linux' })).toEqual({
      text: `${missing} is not there yet`,
    });
    expect(existsSync(join(home, 'a'))).toBe(false);
    writeFileSync(join(home, 'file'), '', { mode: 0o600 });
    expect(examineHome({ codexHome: join(home, 'file/b'), platform: 'linux' })).toMatchObject({
      state: 'fault',
      text: `${home}/file/b is not there, and cannot be made in ${home}/file`,
    });
  });

  it('throws where it cannot be written', () => {
    const home = codexHome();
    writeFileSync(join(home, 'codex-rx'), '');
    expect(() => examineHome({ codexHome: home, platform: 'linux' })).toThrow(/codex-rx is not a folder/);
  });
});
