import { getIn, toTable } from '../../../src/settings/layer';
import { builtIns } from '../../../src/settings/layers/builtIns';
import { toSources } from '../../../src/settings/layers/sources';
import { check } from '../../../src/settings/schema/check';

const layer = (env: Record<string, string> = {}) => builtIns({ env, cwd: '/w' });
const url = (provider: string, env: Record<string, string>) =>
  getIn(toTable(layer(env)), ['model_providers', provider, 'base_url']);

describe('builtIns', () => {
  it('has a value for each key that a configuration needs', () => {
    expect(check(toSources([layer()]))).toMatchObject({ model: 'gpt-5', sandbox_mode: 'read-only' });
  });

  it.each([
    ['openai', {}, undefined],
    ['openai', { OPENAI_BASE_URL: ' http://o/v1 ' }, 'http://o/v1'],
    ['openai', { OPENAI_BASE_URL: ' ' }, undefined],
    ['oss', {}, 'http://localhost:11434/v1'],
    ['oss', { CODEX_OSS_PORT: '99' }, 'http://localhost:99/v1'],
    ['oss', { CODEX_OSS_BASE_URL: 'http://s', CODEX_OSS_PORT: '9' }, 'http://s'],
  ])('has the address of %s with %j', (provider, env, address) => {
    expect(url(provider, env)).toBe(address);
  });

  it('names the variable as the place of a setting', () => {
    const [, setting] = layer({ OPENAI_BASE_URL: 'http://o' });
    expect([setting?.where([]), setting?.folder]).toEqual(['environment variable OPENAI_BASE_URL', '/w']);
  });
});
