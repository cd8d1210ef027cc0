import { type Layer, type Toml, tableOf } from '../../../src/settings/layer';
import { toSources } from '../../../src/settings/layers/sources';

const layer = (name: string, ...settings: [path: string[], value: Toml][]): Layer =>
  settings.map(([path, value]) => ({ path, value, folder: name, where: () => name }));

const { table, placeOf } = toSources([
  layer('lowest', [[], tableOf({ model: 'a', tools: tableOf({ x: true }) })]),
  layer('file', [[], tableOf({ tools: tableOf({ y: false }) })]),
  layer('flags', [['tools', 'x'], false], [['model'], 'b'], [['model'], 'c']),
]);

describe('toSources', () => {
  it('merges the layers, the lowest first', () => {
    expect({ ...table }).toEqual({ model: 'c', tools: { x: false, y: false } });
  });

  it.each([
    [['model'], 'flags'],
    [['tools', 'x'], 'flags'],
    [['tools', 'y'], 'file'],
    [['tools', 'z'], 'flags'],
    [['unknown'], 'flags'],
    [[], 'flags'],
  ])('finds what set %j, or the table above it', (path, folder) => {
    expect(placeOf(path).folder).toBe(folder);
  });
});
