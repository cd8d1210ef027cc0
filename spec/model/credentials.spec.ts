import { credentials, type StoredAuth } from '../../src/model';
import { ModelError } from '../../src/protocol/model';
import { provider } from '../support/models';

const find = (env: Record<string, string>, auth: StoredAuth, own: Parameters<typeof provider>[0]) => () =>
  credentials({ env, readAuth: () => auth })(provider(own));

const openai = { id: 'openai', requiresOpenaiAuth: true };

describe('credentials', () => {
  it("finds the key in the provider's own variable", () => {
    expect(find({ MY_KEY: ' k1\n', OPENAI_API_KEY: 'k2' }, null, { ...openai, envKey: 'MY_KEY' })()).toEqual({
      key: 'k1',
    });
  });

  it.each<[string, StoredAuth, string]>([
    ['k1', { OPENAI_API_KEY: 'k2' }, 'k2'],
    [' ', { OPENAI_API_KEY: 'k2' }, 'k2'],
    ['k1', { OPENAI_API_KEY: ' ' }, 'k1'],
    ['k1', {}, 'k1'],
    ['k1', null, 'k1'],
  ])('takes the OpenAI key from auth.json first, then from the environment: %j, %j', (variable, auth, key) => {
    expect(find({ OPENAI_API_KEY: variable }, auth, openai)()).toEqual({ key });
  });

  it('takes the token of an account before any key', () => {
    const account = { token: 't', id: 'acc1' };
    expect(find({ OPENAI_API_KEY: 'k1' }, { account }, openai)()).toEqual({ key: 't', account: { id: 'acc1' } });
    expect(find({}, { account: { token: 't' } }, {})()).toBeUndefined();
  });

  it('gives the OpenAI key to nobody else', () => {
    expect(find({ OPENAI_API_KEY: 'k1' }, { OPENAI_API_KEY: 'k2' }, {})()).toBeUndefined();
  });

  it('names the missing variable and the hint of its owner', () => {
    const missing = new ModelError('Missing environment variable: `MY_KEY`. Ask Ann.', false);
    expect(find({ OPENAI_API_KEY: 'k1' }, null, { envKey: 'MY_KEY', envKeyInstructions: 'Ask Ann.' })).toThrow(missing);
    expect(find({ MY_KEY: ' ' }, null, { envKey: 'MY_KEY' })).toThrow('Missing environment variable: `MY_KEY`.');
  });

  it.each([null, {}, { OPENAI_API_KEY: null }])('names the remedy when there is no OpenAI key: %j', (auth) => {
    expect(find({}, auth, openai)).toThrow(
      'No API key for the model provider "openai". Set the environment variable OPENAI_API_KEY, ' +
        'log in (codex-rx login), or add a provider of your own under [model_providers] in config.toml and name it as model_provider.',
    );
  });
});
