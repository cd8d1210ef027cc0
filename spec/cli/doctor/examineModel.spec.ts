import { of as just, lastValueFrom } from 'rxjs';
import { examineModel, toResult } from '../../../src/cli/doctor/checkMachine';
import type { Choice } from '../../../src/tapes/seams/ports';
import { type Given, scriptedToml, wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';
import { closeModels, startModel } from '../../support/servers/modelServer';

afterEach(closeModels);
afterAll(removeHomes);

const URL = 'http://localhost:8080/v1/models';
const of = (models: string[]) => ({ url: URL, status: '200 OK', models });

describe('toResult', () => {
  it.each([
    ['qwen3', 'qwen3'],
    ['qwen3', 'qwen3:latest'],
  ])('is well where the model %s is listed as %s', (model, name) => {
    expect(toResult(model, of(['a', name]))).toEqual({ text: `${model}, listed by ${URL}` });
  });

  it.each([
    ['qwen4', ['qwen3', 'a'], 'name one in model; did you mean qwen3? (it lists qwen3, a)'],
    ['qwen4', ['qwen3:latest'], 'name one in model; did you mean qwen3? (it lists qwen3:latest)'],
    ['qwen4', [], 'load it on that server, which lists no model'],
    ['x', ['b\nok  a', 'y'.repeat(90)], `name one in model (it lists b ok a, ${'y'.repeat(80)}…)`],
    ['x', [...'abcdefghij'], 'name one in model (it lists a, b, c, d, e, f, g, h and 2 more)'],
  ])('warns where the model %s is not among %s', (model, models, remedy) => {
    const text = `${URL} does not list the model ${model}`;
    expect(toResult(model, of(models))).toEqual({ state: 'warning', text, remedy });
  });

  it('warns if there is no list', () => {
    expect(toResult('m', { url: URL, status: '404 Not Found', text: 'none' })).toEqual({
      state: 'warning',
      text: `${URL} answers 404 Not Found, and no list of models`,
      remedy: expect.stringContaining('base_url'),
    });
  });

  it('is a fault if the server redirects, which no turn follows', () => {
    const list = { url: URL, status: '301 Moved Permanently', text: '<html>', location: 'https://other/v1/models' };
    expect(toResult('m', list)).toEqual({
      state: 'fault',
      text: `${URL} answers 301 Moved Permanently: it redirects to https://other/v1/models`,
      remedy: 'set base_url to the new address, without /models: redirects are not followed',
    });
  });

  it.each(['502 Bad Gateway', '503 Service Unavailable', '504 Gateway Timeout'])(
    'is a fault at %s, with the text of the server',
    (status) => {
      expect(toResult('m', { url: URL, status, text: 'Loading model' })).toEqual({
        state: 'fault',
        text: `${URL} answers ${status}: Loading model`,
        remedy: 'is the model server running, and ready? A proxy before it may answer in its place',
      });
    },
  );

  it('is a fault if the key is rejected', () => {
    const list = { url: URL, status: '401 Unauthorized', text: 'no', rejected: 'Set it.' };
    expect(toResult('m', list)).toEqual({
      state: 'fault',
      text: `${URL} answers 401 Unauthorized: no`,
      remedy: 'Set it.',
    });
  });
});

describe('examineModel', () => {
  const found = (given: Given, engine: Choice['engine'] = 'native') =>
    lastValueFrom(examineModel(wired(given).wiring, { choice$: just({ engine, reason: '' }) }), { defaultValue: null });

  it('asks the server of the model for its list, and no model', async () => {
    const { toml, requests } = await startModel(() => {});
    expect(await found({ toml })).toMatchObject({ state: 'warning', text: expect.stringContaining('answers 404') });
    expect(requests).toEqual([]);
  });

  it('errors if the server is not reached', async () => {
    const { toml, close } = await startModel(() => {});
    close();
    await expect(found({ toml })).rejects.toThrow('is the model server running?');
  });

  it.each<[string, Given, Choice['engine']]>([
    ['a missing key, which is a finding of the engine', {}, 'native'],
    ['a model that has no server', { toml: scriptedToml }, 'native'],
    ['another engine', { auth: { OPENAI_API_KEY: 'sk-secret' } }, 'app-server'],
    [
      'a ChatGPT account',
      { auth: { tokens: { access_token: 'a.b.c', refresh_token: 'r', id_token: 'a.e30.c', account_id: 'i' } } },
      'native',
    ],
  ])('asks nothing for %s', async (_, given, engine) => {
    expect(await found(given, engine)).toBeNull();
  });
});
