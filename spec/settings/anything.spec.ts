/** Holds for any input: it gets a frozen Config or a ConfigError, and nothing else. */
import fc from 'fast-check';
import type { ThreadSettings } from '../../src/protocol/codex/settings';
import { ConfigError } from '../../src/settings/faults/configError';
import { anyText } from '../support/hostile';
import { loaded, type World } from './deps';

const isFrozen = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));

const endsWell = (world: World, settings: ThreadSettings = {}): boolean => {
  try {
    return isFrozen(loaded(world, settings));
  } catch (error) {
    return error instanceof ConfigError;
  }
};

const keys = [
  'model',
  'model_provider',
  'model_context_window',
  'approval_policy',
  'profile',
  'profiles',
  'profiles.p',
  'profiles.p.model',
  'model_providers',
  'model_providers.openai',
  'model_providers.p.base_url',
  'model_providers.p.http_headers',
  'shell_environment_policy',
  'shell_environment_policy.set',
  'experimental_instructions_file',
  '__proto__',
  'constructor.prototype',
  'toString',
];
const key = fc.oneof(fc.constantFrom(...keys), fc.string());
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('p', 'openai', 'never', '__proto__', 'constructor', {}, { p: {} }),
);
const text = fc.oneof(anyText(), fc.json(), fc.constantFrom('p', '{a=1}', '[', '1e999', 'nan', '"'));
const override = fc.oneof(
  anyText(),
  fc.tuple(key, text).map(([name, what]) => `${name}=${what}`),
);

describe('loadConfig under anything', () => {
  it('gives a frozen Config or a ConfigError for any config object', () =>
    fc.assert(
      fc.property(fc.dictionary(key, value), (config) => endsWell({}, { config })),
      { numRuns: 200 },
    ));

  it('does so for any JSON text as the config object', () =>
    fc.assert(
      fc.property(
        fc.object().map((one) => JSON.parse(JSON.stringify(one))),
        (config) => endsWell({}, { config }),
      ),
    ));

  it('does so for any list of overrides', () =>
    fc.assert(
      fc.property(fc.array(override), (overrides) => endsWell({ overrides })),
      { numRuns: 200 },
    ));

  it('does so for any file', () =>
    fc.assert(
      fc.property(fc.array(override), (lines) => endsWell({ toml: lines.join('\n') })),
      { numRuns: 200 },
    ));

  it('does so for any name of a profile, model or folder', () =>
    fc.assert(fc.property(text, (name) => endsWell({ profile: name, model: name }, { cwd: name, profile: name }))));
});
