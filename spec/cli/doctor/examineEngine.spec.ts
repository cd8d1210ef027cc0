import { lastValueFrom } from 'rxjs';
import { enginesOf } from '../../../src/app/engines/engines';
import { examineEngine } from '../../../src/cli/doctor/examine';
import { type Given, scriptedToml, wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';

afterAll(removeHomes);

const found = (given: Given) => lastValueFrom(examineEngine(enginesOf(wired(given).wiring)));

describe('examineEngine', () => {
  it('names the engine that is chosen, and why', async () => {
    expect(await found({ toml: scriptedToml })).toEqual({
      text: 'native: the model provider script is scripted',
      ms: expect.any(Number),
    });
  });

  it('is a fault where the native engine is chosen and has no key for its model', async () => {
    const remedy =
      'codex-rx login, or a model provider in config.toml; or correct --codex or CODEX_BIN, then restart this server';
    expect(await found({})).toMatchObject({ state: 'fault', remedy });
  });

  it('is a warning with a remedy where an installed Codex is passed over', async () => {
    expect(await found({ processInfo: { env: { PATH: '', OPENAI_API_KEY: 'sk-spec' } } })).toEqual({
      state: 'warning',
      text: 'native: the codex that was named is not there: /no/codex; the model provider openai can be used',
      remedy: 'to use the installed Codex, correct --codex or CODEX_BIN, then restart this server',
      ms: expect.any(Number),
    });
  });

  it('names the variable that a provider takes its key from, where it is not set', async () => {
    const toml = [
      'model_provider = "local"',
      '[model_providers.local]',
      'name = "Local"',
      'base_url = "http://localhost:8080/v1"',
      'env_key = "LOCAL_API_KEY"',
    ].join('\n');
    const remedy =
      'set LOCAL_API_KEY where the server is started, as in env of the entry of its client; or correct --codex or CODEX_BIN, then restart this server';
    expect(await found({ toml })).toMatchObject({ state: 'fault', remedy });
  });
});
