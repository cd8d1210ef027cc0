import { type Toml, tableOf } from '../../../src/settings/layer';
import { toSources } from '../../../src/settings/layers/sources';
import { unknownKeys, unreadPart } from '../../../src/settings/schema/unknownKeys';

const unknown = (table: Record<string, Toml>) =>
  unknownKeys(toSources([[{ path: [], value: tableOf(table), folder: '/', where: () => 'here' }]]));
const line = (path: string, near?: string) =>
  `here: ${path} is no key of the configuration, and has no effect${near === undefined ? '' : `; did you mean ${near}?`}`;

describe('unknownKeys', () => {
  it('names the first of many', () => {
    const keys = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`zz${i}`, 'm']));
    expect(unknown(keys).slice(19)).toEqual([
      line('zz19'),
      '1980 more keys are no keys of the configuration, and have no effect',
    ]);
  });

  it.each<[string, Record<string, Toml>, string[]]>([
    ['nothing for known keys     ', { model: 'm', tools: tableOf({ web_search: true }) }, []],
    ['nothing for keys of Codex  ', { tui: tableOf({ a: 1n }), experimental_x: 1n }, []],
    ['the key that was meant     ', { modl: 'm' }, [line('modl', 'model')]],
    ['a key that is near to none ', { zzz: 'm' }, [line('zzz')]],
    [
      'a key within a table       ',
      { shell_environment_policy: tableOf({ inheritt: 'x' }) },
      [line('shell_environment_policy.inheritt', 'inherit')],
    ],
    [
      'a key of a provider        ',
      { model_providers: tableOf({ p: tableOf({ base_ur: 'x' }) }) },
      [line('model_providers.p.base_ur', 'base_url')],
    ],
    ['no new key of a provider   ', { model_providers: tableOf({ p: tableOf({ of_tomorrow: 'x' }) }) }, []],
    [
      'a key of a profile         ',
      { profiles: tableOf({ p: tableOf({ modl: 'x', tui: 'x' }) }) },
      [line('profiles.p.modl', 'model')],
    ],
  ])('names %s', (_, table, lines) => {
    expect(unknown(table)).toEqual(lines);
  });
});

describe('unreadPart', () => {
  it.each([
    [['model'], undefined],
    [['model_providers', 'p', 'base_url'], undefined],
    [['modl', 'x'], ['modl']],
    [
      ['model_providers', 'p', 'a', 'b'],
      ['model_providers', 'p', 'a'],
    ],
    [['toString'], ['toString']],
    [[], undefined],
  ])('of %j is %j', (path, part) => {
    expect(unreadPart(path)).toEqual(part);
  });
});
