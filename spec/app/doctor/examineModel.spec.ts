import { toResult } from '../../../src/app/doctor/examineModel';

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
    ['qwen4', [], 'name one in model (it lists none)'],
    ['x', ['b\nok  a', 'y'.repeat(90)], `name one in model (it lists b ok a, ${'y'.repeat(80)}…)`],
    ['x', [...'abcdefghij'], 'name one in model (it lists a, b, c, d, e, f, g, h and 2 more)'],
  ])('warns where the model %s is not among %s', (model, models, remedy) => {
    const text = `${URL} does not list the model ${model}`;
    expect(toResult(model, of(models))).toEqual({ state: 'warning', text, remedy });
  });

  it('warns where there is no list', () => {
    expect(toResult('m', { url: URL, status: '404 Not Found', text: 'none' })).toEqual({
      ...{ state: 'warning', text: `${URL} answers 404 Not Found, and no list of models` },
      remedy: expect.stringContaining('base_url'),
    });
  });

  it('is a fault where the key is rejected', () => {
    const list = { url: URL, status: '401 Unauthorized', text: 'no', rejected: 'Set it.' };
    expect(toResult('m', list)).toEqual({
      ...{ state: 'fault', text: `${URL} answers 401 Unauthorized: no`, remedy: 'Set it.' },
    });
  });
});
