import { lastValueFrom } from 'rxjs';
import { examineEngine } from '../../../src/app/doctor/examineEngine';
import { enginesOf } from '../../../src/app/engines/engines';
import { removeHomes } from '../../support/home';
import { type Given, scriptedToml, wired } from '../wiring/wiring';

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
    const remedy = 'codex-rx login, or a model provider in config.toml';
    expect(await found({})).toMatchObject({ state: 'fault', remedy });
  });
});
