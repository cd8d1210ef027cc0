import { checkCallKeys, leavesOf } from '../../../src/settings/limits/callKeys';

const check = (config: Record<string, unknown>, allowed: string[] = []) => checkCallKeys(leavesOf(config), allowed);

describe('checkCallKeys', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['model_providers', 'model_providers.openai.base_url', { 'model_providers.openai.base_url': 'https://x' }],
    ['model_providers', 'model_providers.openai.base_url', { model_providers: { openai: { base_url: 'https://x' } } }],
    ['model_providers', 'model_providers', { model_providers: {} }],
    ['mcp_servers', 'mcp_servers.x.command', { 'mcp_servers.x': { command: 'sh' } }],
    ['mcp_servers', 'mcp_servers.x.enabled', { 'mcp_servers.x.enabled': true }],
    ['mcp_servers', 'mcp_servers.x.env.enabled', { 'mcp_servers.x.env.enabled': false }],
    ['notify', 'notify', { notify: ['sh'] }],
    [
      'shell_environment_policy.set',
      'shell_environment_policy.set.BASH_ENV',
      { shell_environment_policy: { set: { BASH_ENV: 'x' } } },
    ],
    ['shell_environment_policy.set', 'shell_environment_policy', { shell_environment_policy: 'x' }],
    [
      'shell_environment_policy.ignore_default_excludes',
      'shell_environment_policy.ignore_default_excludes',
      { 'shell_environment_policy.ignore_default_excludes': true },
    ],
    ['agents', 'agents.a.config_file', { agents: { a: { config_file: '/w/a.toml' } } }],
    ['features.plugins', 'features.plugins', { features: { plugins: true } }],
    [
      'experimental_realtime_ws_base_url',
      'experimental_realtime_ws_base_url',
      { experimental_realtime_ws_base_url: 'x' },
    ],
    ['profiles', 'profiles.p.model', { 'profiles.p': { model: 'x' } }],
  ])('refuses %s: %s', (key, path, config) => {
    expect(() => check(config)).toThrow(
      `argument config, key ${path}: a call may not set ${key}, because it could run programs or move credentials; the server's flag --allow-call-config ${key} lets calls set it`,
    );
  });

  it.each<[Record<string, unknown>]>([
    [{ model: 'x', 'mcp_servers.x.enabled': false, mcp_servers: { y: { enabled: false } } }],
    [{ shell_environment_policy: { inherit: 'none', ignore_default_excludes: false } }],
    [{ features: { plugins: false, web_search: true } }],
    [{ tools: { web_search: true }, model_provider: 'p' }],
  ])('lets pass %j', (config) => {
    expect(() => check(config)).not.toThrow();
  });

  it('refuses what an engine forbids besides', () => {
    const leaves = leavesOf({ projects: { '/w': { trust_level: 'trusted' } } });
    expect(() => checkCallKeys(leaves, [])).not.toThrow();
    expect(() => checkCallKeys(leaves, [], ['projects'])).toThrow('a call may not set projects');
    expect(() => checkCallKeys(leaves, ['projects'], ['projects'])).not.toThrow();
  });

  it('lets pass what the operator allows, and nothing else', () => {
    const config = { 'mcp_servers.x.command': 'sh' };
    expect(() => check(config, ['mcp_servers'])).not.toThrow();
    expect(() => check(config, ['mcp_servers.x'])).not.toThrow();
    expect(() => check(config, ['mcp_servers.y', 'notify', 'mcp'])).toThrow('mcp_servers.x.command');
  });
});
