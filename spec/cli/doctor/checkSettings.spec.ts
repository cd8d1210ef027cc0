import { chmodSync, chownSync, existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { openThreads } from '../../../src/app/openThreads';
import {
  examineConfig,
  examineEnvironment,
  examineHome,
  examineLogin,
  examineThreads,
} from '../../../src/cli/doctor/checkSettings';
import { ConfigError } from '../../../src/settings/faults/configError';
import { type Given, scriptedToml, wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';
import { needs } from '../../support/needs/needs';

afterAll(removeHomes);

const codexHome = () => wired().wiring.processInfo.codexHome;

afterAll(removeHomes);

const found = (toml: string) => examineConfig(wired({ toml }).wiring);

afterAll(removeHomes);

afterAll(removeHomes);

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

  it('does not make a home that is not there, and names the folder if it cannot be made', () => {
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

  it('throws if it cannot be written', () => {
    const home = codexHome();
    writeFileSync(join(home, 'codex-rx'), '');
    expect(() => examineHome({ codexHome: home, platform: 'linux' })).toThrow(/codex-rx is not a folder/);
  });
});

describe('examineConfig', () => {
  it('names the settings that matter most', () => {
    expect(found(`model = "m"\napproval_policy = "never"\nsandbox_mode = "read-only"\n${scriptedToml}`)).toEqual({
      text: 'model m of the provider script, approval never, sandbox read-only',
    });
  });

  it('warns of each key and value that has no effect, a line each', () => {
    const { state, remedy } = found(`aproval_policy = "never"\nno_such = 1\n${scriptedToml}`);
    expect(state).toBe('warning');
    expect(remedy?.split('\n')).toEqual([
      expect.stringMatching(/config\.toml:1: aproval_policy is no key .* did you mean approval_policy\?$/),
      expect.stringMatching(/config\.toml:2: no_such is no key/),
    ]);
  });

  it('names the keys that only an installed Codex reads, also those of profiles', () => {
    const more =
      '[tui]\ntheme = "x"\n[profiles.p]\npersonality = "y"\n[mcp_servers.s]\ncommand = "c"\nenabled = false\noauth.x = 1';
    expect(found(`${scriptedToml}\n${more}`)).toMatchObject({
      state: 'warning',
      remedy: expect.stringMatching(
        /:11: profiles\.p\.personality has no effect: .*\n.*:15: mcp_servers\.s\.oauth has no effect: .*\nonly an installed Codex reads tui: no effect here$/,
      ),
    });
  });

  it('throws ConfigError if it cannot be read, or limits cannot be kept', () => {
    expect(() => found('[[hooks.PreToolUse]]\nhooks = []')).toThrow(/the hook PreToolUse cannot be kept/);
    expect(() => found('model = 1')).toThrow(ConfigError);
  });
});

describe('examineThreads', () => {
  it('names the folder of threads on this machine', async () => {
    const { wiring } = wired();
    expect(await lastValueFrom(examineThreads(wiring))).toEqual({
      text: `in ${wiring.processInfo.codexHome}/sessions`,
    });
  });

  it('errors if the store on another machine cannot be reached', async () => {
    const { wiring } = wired({ toml: 'thread_store = "nats://127.0.0.1:1/x"' });
    await expect(lastValueFrom(examineThreads(wiring))).rejects.toThrow(/The thread store .* cannot be used/);
  });
});

describe('root in a home of another user', () => {
  needs('root').it('keeps neither threads nor a login there', async () => {
    const { wiring } = wired({ auth: { OPENAI_API_KEY: 'sk-secret' } });
    const { codexHome } = wiring.processInfo;
    chownSync(codexHome, 65_533, 65_533);
    const why = `is not written by root, because ${codexHome} belongs to user 65533: run codex-rx as that user, or name a place of root by CODEX_HOME`;
    expect(await lastValueFrom(examineThreads(wiring))).toEqual({
      state: 'warning',
      text: `not kept on disk, so that none outlives its server: ${codexHome}/sessions ${why}`,
    });
    expect(examineLogin(wiring)).toEqual({
      state: 'warning',
      text: 'an API key, from auth.json',
      remedy: `no login is kept here: ${codexHome} ${why}`,
    });
    await expect(lastValueFrom(openThreads(wiring).resume('01a20000-0000-7000-8000-000000000001'))).rejects.toThrow(
      `Threads are not kept on disk, so none outlives its server: ${codexHome}/sessions ${why}.`,
    );
  });
});

describe('examineLogin', () => {
  afterAll(removeHomes);

  const found = (given: Given) => examineLogin(wired(given).wiring);

  it('names where an API key is from, and not the key', () => {
    expect(found({ auth: { OPENAI_API_KEY: 'sk-secret' } })).toEqual({ text: 'an API key, from auth.json' });
  });

  it.each([
    ['needs one', '', { state: 'warning', text: 'none', remedy: expect.stringMatching(/^codex-rx login; /) }],
    ['needs none', scriptedToml, { text: 'none; the configured model provider needs none' }],
    ['cannot be read', 'model = 1', { state: 'warning', text: 'none', remedy: expect.anything() }],
  ])('without a login depends on whether the model provider %s', (_, toml, result) => {
    expect(found({ toml })).toEqual(result);
  });
});

describe('examineEnvironment', () => {
  it('connects to nothing if threads work on this machine', async () => {
    const { wiring } = wired({ toml: scriptedToml });
    expect(await lastValueFrom(examineEnvironment(wiring))).toEqual({ text: 'threads work on this machine' });
  });

  it('errors if the executor of the environment cannot be started', async () => {
    const toml = `environment_id = "box"\n${scriptedToml}\n[[environments]]\nid = "box"\nprogram = "/no/such/program"\n`;
    await expect(lastValueFrom(examineEnvironment(wired({ toml }).wiring))).rejects.toThrow('/no/such/program');
  });
});
