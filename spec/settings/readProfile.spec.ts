import { ConfigError } from '../../src/settings/faults/configError';
import { readProfile, readSavedConfig, readTables } from '../../src/settings/readProfile';
import { depsOf, file, type World } from './deps';

const profile = (world: World, name: string) => readProfile(depsOf(world))(name);
const toml = '[profiles.fast]\nmodel = "mini"\n[profiles.deep]\nmodel_reasoning_effort = "high"\n';
const own = { '/home/fast.config.toml': 'model = "own"\n' };

describe('readProfile', () => {
  it.each<[string, World, string, object]>([
    ['the table of config.toml', { toml }, 'fast', { model: 'mini' }],
    ['keys that are not known here', { toml: '[profiles.x]\nsomething = [1]' }, 'x', { something: [1] }],
    ['the file of the profile before the table', { toml, files: own }, 'fast', { model: 'own' }],
    ['a file without a table', { files: own }, 'fast', { model: 'own' }],
    ['no file of another folder', { toml: '[profiles."../fast"]\nmodel = "t"', files: own }, '../fast', { model: 't' }],
    ['a profile that is no table as empty', { toml: 'profiles = { x = 1 }' }, 'x', {}],
  ])('takes %s', (_, world, name, keys) => {
    expect(profile(world, name)).toEqual(keys);
  });

  it.each<[string, World, string, string]>([
    [
      'one that is nowhere',
      { toml },
      'fats',
      'config profile `fats` not found in /home/config.toml; known are `fast`, `deep`; did you mean `fast`?',
    ],
    [
      'one beside those that are files',
      { toml, files: { ...own, '/home/work.config.toml': '', '/home/.x.config.toml': '', '/home/auth.json': '' } },
      'worj',
      'known are `fast`, `deep`, `work`; did you mean `work`?',
    ],
    ['one where there is no file', {}, 'fast', 'config profile `fast` not found'],
    ['the name of what every object has', { toml }, 'toString', 'config profile `toString` not found'],
    ['one in a file that cannot be read', { toml: 'profiles = [' }, 'fast', `${file.split('/').at(-1)}:1`],
  ])('refuses %s', (_, world, name, message) => {
    expect(() => profile(world, name)).toThrow(ConfigError);
    expect(() => profile(world, name)).toThrow(message);
  });
});

describe('readSavedConfig', () => {
  it.each([
    ['the file as it is written', 'approval_policy = "x"\na = 1\n', { approval_policy: 'x', a: 1 }],
    ['nothing without a file   ', undefined, {}],
  ])('reads %s', (_, toml, table) => {
    expect(readSavedConfig(depsOf({ toml }))).toEqual(table);
  });

  it('throws for a file that is no TOML', () => {
    expect(() => readSavedConfig(depsOf({ toml: 'a = ' }))).toThrow(ConfigError);
  });
});

describe('readTables', () => {
  it('has the names of every layer, also of what is switched off', () => {
    const provider = (id: string) => `[model_providers.${id}]\nname = "n"\nbase_url = "https://n.test"\n`;
    const deps = depsOf({
      toml: `profile = "p"\n${provider('inFile')}[mcp_servers.off]\nurl = "https://n.test"\nenabled = false\n`,
      files: { '/home/p.config.toml': provider('inProfile') },
      overrides: ['model_providers.byFlag.name="n"', 'model_providers.byFlag.base_url="https://n.test"'],
    });
    const config = { 'model_providers.stored': { name: 'n', base_url: 'https://n.test' } };
    const { providers, servers } = readTables(deps)({ config });
    expect(Object.keys(providers)).toEqual(expect.arrayContaining(['inFile', 'inProfile', 'byFlag', 'stored']));
    expect(Object.keys(servers)).toEqual(['off']);
  });
});
