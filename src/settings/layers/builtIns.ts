/** The lowest layer: default values and the built-in model providers. */
import type { ConfigDeps } from '../deps';
import type { Layer, Path, Setting, Toml } from '../layer';

const openai = {
  name: 'OpenAI',
  wire_api: 'responses',
  env_http_headers: { 'OpenAI-Organization': 'OPENAI_ORGANIZATION', 'OpenAI-Project': 'OPENAI_PROJECT' },
  requires_openai_auth: true,
};
const oss = { name: 'gpt-oss', wire_api: 'chat', base_url: 'http://localhost:11434/v1' };
const scripted = { name: 'Scripted answers', wire_api: 'scripted' };
/** Its responses have no time limit: a person may have to approve them. */
const client = { name: 'Model of the client', wire_api: 'client' };

const defaults = {
  model: 'gpt-5',
  model_provider: 'openai',
  model_reasoning_effort: 'medium',
  model_reasoning_summary: 'auto',
  model_supports_reasoning_summaries: false,
  approval_policy: 'on-request',
  sandbox_mode: 'read-only',
  sandbox_workspace_write: {
    writable_roots: [],
    network_access: false,
    exclude_tmpdir_env_var: false,
    exclude_slash_tmp: false,
  },
  disable_response_storage: false,
  show_raw_agent_reasoning: false,
  project_doc_max_bytes: 32768n,
  shell_environment_policy: { inherit: 'all', ignore_default_excludes: false, exclude: [], set: {}, include_only: [] },
  history: { persistence: 'none' },
  tools: { web_search: false, view_image: true },
  preferred_auth_method: 'chatgpt',
  projects: {},
  profiles: {},
  model_providers: { openai, oss, scripted, client },
  mcp_servers: {},
} satisfies Toml;

/** How a place in the environment begins. */
export const ENVIRONMENT = 'environment variable';

/**
 * The defaults, then the addresses of built-in providers that the environment sets. A blank variable counts as unset.
 * Source: Codex 0.28.0, runs with `OPENAI_BASE_URL`, `CODEX_OSS_BASE_URL`, `CODEX_OSS_PORT`.
 */
export const builtIns = ({ env, cwd }: Pick<ConfigDeps, 'env' | 'cwd'>): Layer => {
  const setting = (where: string, path: Path, value: Toml): Setting => ({
    where: () => where,
    folder: cwd,
    path,
    value,
  });
  const fromEnv = (name: string, provider: string, toUrl = (value: string) => value): Setting[] => {
    const value = env[name]?.trim();
    return value ? [setting(`${ENVIRONMENT} ${name}`, ['model_providers', provider, 'base_url'], toUrl(value))] : [];
  };
  return [
    setting('built-in default', [], defaults),
    ...fromEnv('OPENAI_BASE_URL', 'openai'),
    ...fromEnv('CODEX_OSS_PORT', 'oss', (port) => `http://localhost:${port}/v1`),
    ...fromEnv('CODEX_OSS_BASE_URL', 'oss'),
  ];
};
