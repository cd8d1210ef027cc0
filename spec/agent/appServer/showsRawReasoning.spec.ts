import { showsRawReasoning } from '../../../src/agent/appServer/appServerEngine';
import type { ThreadSettings } from '../../../src/protocol/codex/settings';
import { depsOf } from '../../settings/deps';

const KEY = 'show_raw_agent_reasoning';
const inTable = '[model_providers.m]\nname = "M"\nwire_api = "chat"\nbase_url = "http://localhost/v1"';

describe('showsRawReasoning', () => {
  it.each<[string, string, ThreadSettings, boolean]>([
    ['nothing says so', '', {}, false],
    ['config.toml says so', `${KEY} = true`, {}, true],
    ['the call says so', `${KEY} = false`, { config: { [KEY]: true } }, true],
    ['the call says otherwise', `${KEY} = true`, { config: { [KEY]: false } }, false],
    ['the profile of the call says so', `[profiles.p]\n${KEY} = true`, { profile: 'p' }, true],
    ['config.toml has other tables', `${KEY} = true\n${inTable}`, {}, true],
    ['config.toml cannot be read', `${KEY} = true\n[`, {}, false],
  ])('where %s', (_, toml, settings, expected) => {
    expect(showsRawReasoning(depsOf({ toml }))(settings)).toBe(expected);
  });
});
