import { ConfigError } from '../../src/settings/faults/configError';
import { readSavedConfig } from '../../src/settings/readProfile';
import { depsOf } from './deps';

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
