import { credentials, type StoredAuth, toRejectedText, usesLogin } from '../../../src/agent/modelHttp/credentials';
import { ModelError } from '../../../src/protocol/model/model';
import { provider } from '../../support/models';

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

describe('usesLogin', () => {
  it.each([
    [{ requiresOpenaiAuth: true }, true],
    [{ requiresOpenaiAuth: true, envKey: 'MY_KEY' }, false],
    [{ requiresOpenaiAuth: false }, false],
  ])('is true where the stored login is sent: %j', (own, expected) => {
    expect(usesLogin(provider({ envKey: undefined, ...own }))).toBe(expected);
  });
});

describe('toRejectedText', () => {
  it.each([
    [{ envKey: 'MY_KEY' }, 'in the environment variable `MY_KEY`. Set it to a valid key and start the server again.'],
    [{ envKey: 'MY_KEY', envKeyInstructions: 'Ask Ann.' }, 'in the environment variable `MY_KEY`. Ask Ann.'],
    [{ requiresOpenaiAuth: true }, 'Log in again (codex-rx login), or set OPENAI_API_KEY to a valid key.'],
    [{ id: 'mine' }, 'Set env_key under [model_providers.mine] to the variable that holds one.'],
  ])('names the credential and the remedy: %j', (own, expected) => {
    expect(toRejectedText(provider({ envKey: undefined, ...own }))).toContain(expected);
  });
});
