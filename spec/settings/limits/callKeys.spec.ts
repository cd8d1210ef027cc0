import { THREAD_SETTINGS } from '../../../src/protocol/codex/settings';
import { ConfigError } from '../../../src/settings/faults/configError';
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
    [
      'sandbox_workspace_write.unix_sockets',
      'sandbox_workspace_write.unix_sockets',
      { sandbox_workspace_write: { unix_sockets: true } },
    ],
    ['profiles', 'profiles.p.model', { 'profiles.p': { model: 'x' } }],
    ['projects', 'projects."/w".trust_level', { projects: { '/w': { trust_level: 'trusted' } } }],
    ['features.any_of_next_year', 'features.any_of_next_year', { features: { any_of_next_year: false } }],
    ['permissions', 'permissions.p.network.enabled', { permissions: { p: { network: { enabled: true } } } }],
  ])('refuses %s: %s', (key, path, config) => {
    expect(() => check(config)).toThrow(
      `argument config, key ${path}: a call may not set ${key}; the server's flag --allow-call-config ${key} lets calls set it`,
    );
  });

  it.each([
    ['sandboxmode', '; did you mean sandbox_mode?'],
    ['tools.web_serch', '; did you mean tools.web_search?'],
    ['sandbox_workspace_write.network', '; did you mean sandbox_workspace_write.network_access?'],
    [
      'key_of_next_year',
      ", and the server's flag --allow-call-config key_of_next_year would only pass it on to an installed Codex",
    ],
  ])('names no flag as a remedy for %s, which nothing reads here', (key, end) => {
    expect(() => check({ [key]: true })).toThrow(
      new ConfigError(`argument config, key ${key}: it is no key of the configuration${end}`),
    );
  });

  it('names each key that a call may not set, and counts those after the twentieth', () => {
    const keys = Array.from({ length: 23 }, (_, at) => `mcp_servers.s${at}.command`);
    const lines = (config: Record<string, unknown>) => {
      try {
        return check(config);
      } catch (error) {
        return (error as ConfigError).faults.map((line) => line.slice(0, 49));
      }
    };
    expect(lines({ notify: ['sh'], model: 'm', hook: 1, 'mcp_servers.x.url': 'http://x' })).toEqual([
      'argument config, key notify: a call may not set n',
      'argument config, key hook: it is no key of the co',
      'argument config, key mcp_servers.x.url: a call ma',
    ]);
    expect(lines(Object.fromEntries(keys.map((key) => [key, 'sh'])))).toHaveLength(21);
    expect(() => check(Object.fromEntries(keys.map((key) => [key, 'sh'])))).toThrow(
      /\nargument config: a call may not set 3 more of its keys$/,
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
