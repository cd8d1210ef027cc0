import { firstValueFrom } from 'rxjs';
import { appServerEngine } from '../../../src/agent/appServer/appServerEngine';
import { nativeAvailability } from '../../../src/agent/native/modelLogin';
import { removeHomes } from '../../support/home';
import { wired } from '../wiring/wiring';

afterAll(removeHomes);

describe('appServerEngine', () => {
  it('knows of no login without a Codex', async () => {
    const account = firstValueFrom(appServerEngine(wired({ options: { codex: '/no/codex' } }).wiring).account());
    await expect(account).rejects.toThrow('No codex was found in /no/codex.');
  });

  it('names the missing folder of CODEX_HOME, and does not start Codex', async () => {
    const { wiring } = wired({ options: { codex: process.execPath } });
    const env = { CODEX_HOME: '/no/home' };
    const moved = { ...wiring, processInfo: { ...wiring.processInfo, env, codexHome: '/no/home' } };
    const message = 'CODEX_HOME is /no/home, which is not a folder. Create it, or unset CODEX_HOME.';
    await expect(firstValueFrom(appServerEngine(moved).account())).rejects.toThrow(message);
    expect(nativeAvailability(moved)).toMatchObject({ usable: false, reason: message });
  });

  it('names a working folder that is gone, and does not start Codex', async () => {
    const { wiring } = wired({ options: { codex: process.execPath } });
    const moved = { ...wiring, processInfo: { ...wiring.processInfo, cwd: '/no/work' } };
    await expect(firstValueFrom(appServerEngine(moved).account())).rejects.toThrow(
      'The working folder of the server is gone: /no/work. Create it, or start the server in a folder that stays.',
    );
  });
});
