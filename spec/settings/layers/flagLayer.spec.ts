import { ConfigError } from '../../../src/settings/faults/configError';
import { flagLayer } from '../../../src/settings/layers/flagLayer';
import { loaded } from '../deps';

const layer = (overrides: string[], model?: string) =>
  flagLayer({ overrides, model, cwd: '/w' }).map(({ path, value, where, folder }) => [
    path.join('.'),
    value,
    where(path),
    folder,
  ]);

describe('flagLayer', () => {
  it('has -c in order, then -m', () => {
    expect(layer(['a.b=1', 'model="x"'], 'm')).toEqual([
      ['a.b', 1n, '-c a.b=1', '/w'],
      ['model', 'x', '-c model="x"', '/w'],
      ['model', 'm', '-m m', '/w'],
    ]);
  });

  it.each([
    ['shell_environment_policy.set.CI=1', '1'],
    ['shell_environment_policy.set.CI="1"', '1'],
    ['mcp_servers.s.env.DEBUG=true', 'true'],
    ['mcp_servers.s.startup_timeout_sec=1', 1n],
    ['shell_environment_policy.set={ CI = "1" }', { CI: '1' }],
  ])('takes a variable as text: %s', (override, value) => {
    expect(layer([override])[0]?.[1]).toEqual(value);
  });

  it.each([
    ['a=[1, "x"]', [1n, 'x']],
    ['a={ b = 1.0 }', { b: 1 }],
    ['a=true', true],
    ['a=no toml', 'no toml'],
    ['a="unclosed', 'unclosed'],
    ["a='x'", 'x'],
    ['a=', ''],
  ])('parses %s', (override, value) => {
    expect(layer([override])[0]?.[1]).toEqual(value);
  });

  it('names no secret as the place of a setting', () => {
    expect(layer(['model_providers.p.http_headers={ Authorization = "S" }'])[0]?.[2]).toBe(
      '-c model_providers.p.http_headers=…',
    );
    expect(layer(['thread_store="nats://t0ken@h/n"'])[0]?.[2]).toBe('-c thread_store="nats://[redacted]@h/n"');
  });

  it('refuses a flag that sets nothing', () => {
    expect(() => layer(['model'])).toThrow(
      new ConfigError("-c model: Invalid override (missing '='), expected key=value"),
    );
  });
});

describe('a flag of the server', () => {
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
