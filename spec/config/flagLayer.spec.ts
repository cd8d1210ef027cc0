import { flagLayer } from '../../src/config/flagLayer';

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
  });
});
