import { riskyFlag } from '../../../src/settings/limits/callKeys';

describe('riskyFlag', () => {
  it.each([
    [['model="x"', 'approval_policy="never"'], undefined],
    [['mcp_servers.a.enabled=false'], undefined],
    [['model="x"', 'model_providers.a.base_url="http://x"'], 'model_providers.a.base_url'],
    [['model_providers={a={env_key="KEY"}}'], 'model_providers.a.env_key'],
    [['notify=["program"]'], 'notify'],
    [['shell_environment_policy={set={A="b"}}'], 'shell_environment_policy.set.A'],
  ])('of %p is %p', (overrides, key) => {
    expect(riskyFlag(overrides, '/w')).toBe(key);
  });
});
