import { THREAD_SETTINGS } from '../../../src/protocol/codex/settings';
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
    ['shell_environment_policy', 'shell_environment_policy', { shell_environment_policy: 'x' }],
    [
      'shell_environment_policy.ignore_default_excludes',
      'shell_environment_policy.ignore_default_excludes',
      { 'shell_environment_policy.ignore_default_excludes': true },
    ],
    ['profiles', 'profiles.p.model', { 'profiles.p': { model: 'x' } }],
    ['projects', 'projects."/w".trust_level', { projects: { '/w': { trust_level: 'trusted' } } }],
    ['features.any_of_next_year', 'features.any_of_next_year', { features: { any_of_next_year: false } }],
    ['permissions', 'permissions.p.network.enabled', { permissions: { p: { network: { enabled: true } } } }],
    ['key_of_next_year', 'key_of_next_year', { key_of_next_year: 1 }],
  ])('refuses %s: %s', (key, path, config) => {
    expect(() => check(config)).toThrow(
      `argument config, key ${path}: a call may not set ${key}; the server's flag --allow-call-config ${key} lets calls set it`,
    );
  });

  it.each([
    ['sandboxmode', 'sandbox_mode'],
    ['tools.web_serch', 'tools.web_search'],
    ['sandbox_workspace_write.network', 'sandbox_workspace_write.network_access'],
    ['notify', undefined],
  ])('names the key that %s was probably meant to be: %s', (key, meant) => {
    const flag = `--allow-call-config ${key} lets calls set it`;
    expect(() => check({ [key]: true })).toThrow(
      new RegExp(`${flag}${meant === undefined ? '' : `; did you mean ${meant}\\?`}$`),
    );
  });

  it('lets pass each key of the table of thread settings', () => {
    const keys = Object.values(THREAD_SETTINGS).flatMap(({ key }) => (key === null ? [] : [[key.name, 'x']]));
    expect(() => check(Object.fromEntries(keys))).not.toThrow();
  });

  it.each<[Record<string, unknown>]>([
    [{ model: 'x', 'mcp_servers.x.enabled': false, mcp_servers: { y: { enabled: false } } }],
    [{ shell_environment_policy: { inherit: 'none', exclude: ['A*'], ignore_default_excludes: false } }],
    [{ features: { web_search_request: true }, tools: { web_search: { context_size: 'low' } } }],
    [{ model_provider: 'p', model_verbosity: 'low', hide_agent_reasoning: true, service_tier: 'fast' }],
    [{ 'approval_policy.granular.rules': false, sandbox_workspace_write: { writable_roots: ['/w'] } }],
  ])('lets pass %j', (config) => {
    expect(() => check(config)).not.toThrow();
  });

  it('lets pass what the operator allows, and nothing else', () => {
    const config = { 'mcp_servers.x.command': 'sh' };
    expect(() => check(config, ['mcp_servers'])).not.toThrow();
    expect(() => check(config, ['mcp_servers.x'])).not.toThrow();
    expect(() => check(config, ['mcp_servers.y', 'notify', 'mcp'])).toThrow('mcp_servers.x.command');
  });
});
