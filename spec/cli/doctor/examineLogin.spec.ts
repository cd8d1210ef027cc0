import { examineLogin } from '../../../src/cli/doctor/examine';
import { type Given, scriptedToml, wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';

afterAll(removeHomes);

const found = (given: Given) => examineLogin(wired(given).wiring);

describe('examineLogin', () => {
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
