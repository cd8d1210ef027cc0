import { effectiveSettings } from '../../src/settings/effectiveSettings';
import { depsOf, file, type World } from './deps';

const shown = (world: World) => {
  const { settings, warnings } = effectiveSettings(depsOf(world));
  return { ...Object.fromEntries(settings.map(({ key, ...rest }) => [key, rest])), warnings };
};

describe('effectiveSettings', () => {
  it('masks the token in the address of an MCP server, and leaves that of a model as it is', () => {
    const toml = `model_provider = "p"
[model_providers.p]
name = "p"
base_url = "https://host/deployments-2024-10-21/v1"
[mcp_servers.a]
url = "https://host/s/0a1b2c3d4e5f6a7b/mcp?user=abcd"
`;
    expect(shown({ toml })).toMatchObject({
      'model_providers.p.base_url': { value: 'https://host/deployments-2024-10-21/v1' },
      'mcp_servers.a.url': { value: 'https://host/s/[redacted]/mcp?user=[redacted]' },
    });
  });

  it('names the place of each setting', () => {
    const toml = `model = "file"
mdoel = 1
[model_providers.p]
name = "p"
base_url = "http://p/v1"
max_retries = 3
[profiles.q]
model_verbosity = "low"
`;
    const world = {
      toml,
      overrides: ['model_provider=p', 'sandbox_mode=read-only'],
      files: { '/home/fast.config.toml': 'sandbox_mode = "danger-full-access"' },
      profile: 'fast',
    };
    expect(shown(world)).toMatchObject({
      model: { value: 'file', source: `${file}:1` },
      model_context_window: { value: null, source: 'built-in default of file' },
      model_provider: { value: 'p', source: '-c model_provider=p' },
      'model_providers.p.base_url': { value: 'http://p/v1', source: `${file}:5` },
      'model_providers.p.max_retries': { value: 3, source: `${file}:6` },
      'model_providers.p.request_max_retries': { value: 4, source: 'built-in default' },
      sandbox_mode: {
        value: 'read-only',
        source: 'the ceiling of the command line, below /home/fast.config.toml:1',
      },
      warnings: [`${file}:2: mdoel is no key of the configuration, and has no effect; did you mean model?`],
    });
  });

  it('lists the keys that have no effect here by their first unknown part', () => {
    const toml = `[tui]
theme = "x"
[mcp_servers.s]
command = "s"
[mcp_servers.s.oauth.t]
approval_mode = "auto"
`;
    const { settings, ignored, warnings } = effectiveSettings(depsOf({ toml }));
    expect(ignored).toEqual(['mcp_servers.s.oauth', 'tui']);
    expect(settings.map(({ key }) => key)).toContain('mcp_servers.s.command');
    expect(settings.filter(({ key }) => /tui|tools\.t/.test(key))).toEqual([]);
    expect(warnings).toEqual([`${file}:5: mcp_servers.s.oauth has no effect: only an installed Codex has it`]);
  });

  it('leaves out profiles, and providers nobody chose', () => {
    const toml = '[profiles.q]\nmodel = "q"\n';
    const keys = Object.keys(shown({ toml })).filter((key) => /^(profiles|model_providers\.(oss|scripted))/.test(key));
    expect(keys).toEqual([]);
  });

  it('masks every secret', () => {
    const toml = `notify = ["send", "--to", "https://me:secret-1@host/"]
[model_providers.openai]
http_headers = { Authorization = "secret-2" }
query_params = { key = "secret-3" }
env_http_headers = { X-Key = "VARIABLE" }
[mcp_servers.s]
command = "s"
args = ["--token", "sk-proj-secret4secret4secret4secret4", "--password", "secret-10", "-e", "A=secret-11", "--header", "X-Own: secret-12", "--url", "https://h/mcp?key=secret-13"]
[mcp_servers.w]
url = "https://me:secret-8@host/mcp"
http_headers = { X-Key = "secret-9" }
bearer_token_env_var = "THE_VARIABLE"
[mcp_servers.s.env]
ANY = "secret-5"
[shell_environment_policy.set]
ANY = "secret-6"
`;
    const text = JSON.stringify(shown({ toml, overrides: ['mcp_servers.t={command="t",env={A="secret-7"}}'] }));
    expect(text).not.toContain('secret-');
    expect(text).not.toContain('secret4');
    expect(text).toContain('"VARIABLE"');
    expect(text).toContain('"THE_VARIABLE"');
  });
});
