import { type Toml, tableOf } from '../../../src/settings/layer';
import { builtIns } from '../../../src/settings/layers/builtIns';
import { toSources } from '../../../src/settings/layers/sources';
import { check, misfit } from '../../../src/settings/schema/check';

const sources = (table: Record<string, Toml>) =>
  toSources([
    builtIns({ env: {}, cwd: '/' }),
    [{ path: [], value: tableOf(table), folder: '/', where: (path) => `line of ${path.join('.')}` }],
  ]);

describe('check', () => {
  it('types what fits, and leaves the rest out', () => {
    const checked = check(sources({ model: 'm', model_context_window: 5n, unknown: 'x' }));
    expect([checked.model, checked.model_context_window]).toEqual(['m', 5]);
    expect(checked).not.toHaveProperty('unknown');
  });

  it('names each mistake once, with its place, what was found and what is expected', () => {
    const table = { model: 5n, notify: ['x', 1n, 2n], model_providers: tableOf({ p: tableOf({ name: true }) }) };
    expect(() => check(sources(table))).toThrow(
      expect.objectContaining({
        message: [
          'line of model: model is 5, expected a string',
          'line of notify: notify[1] is 1, expected a string',
          'line of model_providers.p.name: model_providers.p.name is true, expected a string',
        ].join('\n'),
      }),
    );
  });
});

describe('misfit', () => {
  it('names the value at a path', () => {
    expect(misfit(sources({ a: 'x' }), ['a'], 'a number').message).toBe('line of a: a is "x", expected a number');
  });
});
