import { ConfigError } from '../../src/config';
import { splitOverride } from '../../src/config/splitOverride';
import { loaded } from './deps';

describe('splitOverride', () => {
  it.each([
    ['model=o3', 'model', 'o3'],
    [' a.b \t= c=d ', 'a.b', 'c=d'],
    ['model=', 'model', ''],
    ['\u0085a\u0085=\u00a0b', 'a', 'b'],
    ['a=\ufeffb', 'a', '\ufeffb'],
  ])('splits %j', (override, key, value) => expect(splitOverride(override)).toEqual({ key, value }));

  it.each(['', 'model', '=', '=x', ' =x'])('refuses %j', (override) =>
    expect(() => splitOverride(override)).toThrow(ConfigError),
  );
});

describe('flagLayer', () => {
  it.each([
    ['o3', 'o3'],
    ['"o3"', 'o3'],
    ["'o3'", 'o3'],
    ['"o3" # comment', 'o3'],
    ['"o3', 'o3'],
    ['{"a":1}', '{"a":1}'],
    ['2025-08-28', '2025-08-28'],
    ['', ''],
    ['"a"\nmodel="b"', 'a'],
  ])('reads model=%s as %j', (value, model) => expect(loaded({ overrides: [`model=${value}`] }).model).toBe(model));

  it.each([
    ['10_000', 10_000],
    ['0x10', 16],
  ])('reads model_context_window=%s as %d', (value, contextWindow) =>
    expect(loaded({ overrides: [`model_context_window=${value}`] }).contextWindow).toBe(contextWindow),
  );
});
