import { codexCall, greet, textOf } from '../../support/daemon/legacy';
import { endServers, type Launch, startServer } from '../../support/daemon/peer';
import { openHome } from '../../support/home';

afterEach(endServers);

/** The text of a call that cannot begin. */
const refusal = async (launch: Launch, args = {}) => {
  const peer = startServer(launch);
  await greet(peer);
  const answer = await peer.request('tools/call', codexCall(peer, 'hello', args));
  expect(answer.result.isError).toBe(true);
  expect(await peer.request('ping')).toMatchObject({ result: {} });
  return textOf(answer);
};

const configured = (toml: string): Launch => {
  const home = openHome();
  home.write('.codex/config.toml', toml);
  return { home };
};

describe('a configuration that cannot be used', () => {
  it('names file and line of broken TOML, and is read again by the next call', async () => {
    const launch = configured('model = "gpt-5"\nmodel_provider = \n');
    const peer = startServer(launch);
    await greet(peer);
    const call = () => peer.request('tools/call', codexCall(peer, 'hello'));
    const text = textOf(await call());
    expect(text).toContain(`${peer.home.path}/.codex/config.toml`);
    expect(text).toMatch(/\b(line )?2\b/);
    const file = peer.home.write('answers.json', { otherwise: { items: [{ text: 'mended' }] } });
    peer.home.write(
      '.codex/config.toml',
      `model_provider = "scripted"\n[model_providers.scripted]\nname = "s"\nwire_api = "scripted"\nscript = "${file}"\n`,
    );
    expect(textOf(await call())).toBe('mended');
  });

  it('names file and line of a value of the wrong type', async () => {
    const text = await refusal(configured('model = "gpt-5"\n\nsandbox_mode = 7\n'));
    expect(text).toContain('.codex/config.toml:3');
    expect(text).toContain('sandbox_mode');
  });

  it('names a provider nobody knows, and where it was asked for', async () => {
    expect(await refusal({ args: ['-c', 'model_provider=nobody'] })).toContain('nobody');
    const text = await refusal(configured('model_provider = "opnai"\n'));
    expect(text).toContain('opnai');
    expect(text).toContain('openai');
  });

  it('names a profile nobody knows', async () => {
    expect(await refusal({ args: ['-p', 'work'] })).toContain('work');
    expect(await refusal({}, { profile: 'night' })).toContain('night');
  });

  it('names a folder that is not there', async () => {
    expect(await refusal({}, { cwd: 'no/such/folder' })).toContain('no/such/folder');
  });
});

describe('a model that cannot be used', () => {
  it('reports that there is no login and no key, with the remedy', async () => {
    const text = await refusal({});
    expect(text).toMatch(/OPENAI_API_KEY|codex login/);
  });

  it('names the variable that holds no key', async () => {
    const text = await refusal(
      configured(
        'model_provider = "mine"\n[model_providers.mine]\nname = "mine"\nbase_url = "http://127.0.0.1:9/v1"\nenv_key = "MY_MODEL_KEY"\nenv_key_instructions = "Ask Ada for one."\n',
      ),
    );
    expect(text).toContain('MY_MODEL_KEY');
    expect(text).toContain('Ask Ada for one.');
  });

  it('reports that nobody listens', async () => {
    const text = await refusal(
      configured(
        'model_provider = "mine"\n[model_providers.mine]\nname = "mine"\nbase_url = "http://127.0.0.1:9/v1"\nrequest_max_retries = 0\nstream_max_retries = 0\n',
      ),
    );
    expect(text).toContain('127.0.0.1:9');
  });

  it.each([
    ['is not there', undefined, 'no.json'],
    ['does not fit', { otherwise: { item: [] } }, 'unknown key "item"'],
  ])('reports that the script %s', async (_, script, emitted) => {
    const launch = script === undefined ? { args: scriptAt('/no/such/no.json') } : { script };
    expect(await refusal(launch)).toContain(emitted);
  });

  it('passes on the error of the model', async () => {
    const script = { otherwise: { items: [{ text: 'so far' }], fault: { error: 'the quota is used up' } } };
    expect(await refusal({ script })).toContain('the quota is used up');
  });
});

const scriptAt = (path: string) => ['-c', 'model_provider=scripted', '-c', `model_providers.scripted.script=${path}`];
