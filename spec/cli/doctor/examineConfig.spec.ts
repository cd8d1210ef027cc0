import { examineConfig } from '../../../src/cli/doctor/examine';
import { ConfigError } from '../../../src/settings/faults/configError';
import { scriptedToml, wired } from '../../agent/wiring/wiring';
import { removeHomes } from '../../support/home';

afterAll(removeHomes);

const found = (toml: string) => examineConfig(wired({ toml }).wiring);

describe('examineConfig', () => {
  it('names the settings that matter most', () => {
    expect(found(`model = "m"\napproval_policy = "never"\nsandbox_mode = "read-only"\n${scriptedToml}`)).toEqual({
      text: 'model m of the provider script, approval never, sandbox read-only',
    });
  });

  it('warns of each key and value that has no effect, a line each', () => {
    const { state, remedy } = found(`aproval_policy = "never"\nno_such = 1\n${scriptedToml}`);
    expect(state).toBe('warning');
    expect(remedy?.split('\n')).toEqual([
      expect.stringMatching(/config\.toml:1: aproval_policy is no key .* did you mean approval_policy\?$/),
      expect.stringMatching(/config\.toml:2: no_such is no key/),
    ]);
  });

  it('throws ConfigError where it cannot be read', () => {
    expect(() => found('model = 1')).toThrow(ConfigError);
  });
});
