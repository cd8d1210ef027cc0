import { type Toml, tableOf } from '../../../src/settings/layer';
import { toSources } from '../../../src/settings/layers/sources';
import { unknownKeys, unreadPart } from '../../../src/settings/schema/unknownKeys';

const unknown = (table: Record<string, Toml>) =>
  unknownKeys(toSources([[{ path: [], value: tableOf(table), folder: '/', where: () => 'here' }]]));
const line = (path: string, near?: string) =>
  `here: ${path} is no key of the configuration, and has no effect${near === undefined ? '' : `; did you mean ${near}?`}`;

const TOP = 'put it at the top of the file, above the first [table]';

/** All keys at the top of config.toml that codex 0.171.0 knows. */
const OF_CODEX =
  `agents allow_login_shell allow_symlinked_codex_home analytics approval_policy approvals_reviewer apps_mcp_product_sku audio auto_review
  background_terminal_max_timeout browser_use check_for_update_on_startup cli_auth_credentials_store cloud code_mode compact_prompt computer_use
  default_permissions desktop developer_instructions disable_paste_burst experimental_use_unified_exec_tool file_opener forced_chatgpt_workspace_id
  forced_login_method ghost_snapshot goals hide_agent_reasoning history hooks include_apps_instructions include_collaboration_mode_instructions
  include_environment_context instructions js_repl_node_module_dirs js_repl_node_path log_dir mcp_enterprise_managed_auth mcp_oauth_callback_port
  mcp_oauth_callback_url mcp_oauth_credentials_store mcp_optional_startup_grace_ms mcp_servers model model_auto_compact_token_limit
  model_auto_compact_token_limit_scope model_catalog_json model_context_window model_instructions_file model_post_turn_compact_threshold_percent
  model_providers model_reasoning_effort model_reasoning_summary model_verbosity notice notify openai_base_url orchestrator oss_provider permissions
  personality plan_mode_reasoning_effort plugins project_doc_fallback_filenames project_doc_max_bytes project_root_markers responses
  responses_api_metadata review_model rollout_trace sandbox_mode sandbox_workspace_write service_tier shell_environment_policy show_raw_agent_reasoning
  sqlite_home suppress_unstable_features_warning thread_unload_delay_secs tool_output_token_limit tool_suggest tools tui`.split(
    /\s+/,
  );

describe('unknownKeys', () => {
  it('knows each key of Codex', () => {
    const lines = unknown(Object.fromEntries(OF_CODEX.map((key) => [key, tableOf()])));
    expect(lines.filter((line) => line.includes('no key'))).toEqual([]);
  });

  it('names the first of many', () => {
    const keys = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`zz${i}`, 'm']));
    expect(unknown(keys).slice(19)).toEqual([
      line('zz19'),
      '1980 more keys are no keys of the configuration, and have no effect',
    ]);
  });

  it.each<[string, Record<string, Toml>, string[]]>([
    ['nothing for known keys     ', { model: 'm', tools: tableOf({ web_search: true }) }, []],
    ['nothing for keys of Codex  ', { tui: tableOf({ a: 1n }), notice: tableOf({ b: 1n }) }, []],
    ['the key that was meant     ', { modl: 'm' }, [line('modl', 'model')]],
    ['a key that is near to none ', { zzz: 'm' }, [line('zzz')]],
    [
      'a key within a table       ',
      { shell_environment_policy: tableOf({ inheritt: 'x' }) },
      [line('shell_environment_policy.inheritt', 'inherit')],
    ],
    [
      'a key of a provider        ',
      { model_providers: tableOf({ p: tableOf({ base_ur: 'x' }) }) },
      [line('model_providers.p.base_ur', 'base_url')],
    ],
    [
      'a new key of a provider    ',
      { model_providers: tableOf({ p: tableOf({ of_tomorrow: 'x' }) }) },
      [line('model_providers.p.of_tomorrow')],
    ],
    [
      'a token in the file        ',
      { model_providers: tableOf({ p: tableOf({ experimental_bearer_token: 'x' }) }) },
      [
        'here: model_providers.p.experimental_bearer_token has no effect: no token is read from this file; env_key names the variable with it',
      ],
    ],
    [
      'what only Codex has        ',
      { profiles: tableOf({ p: tableOf({ personality: 'x' }) }), experimental_x: 1n },
      [
        'here: profiles.p.personality has no effect: only an installed Codex has it',
        'here: experimental_x has no effect: only an installed Codex has it',
      ],
    ],
    [
      'a key of a table           ',
      { network_access: true },
      [`${line('network_access')}; it is a key of the table [sandbox_workspace_write]`],
    ],
    [
      'a key of the top in a table',
      { mcp_servers: tableOf({ s: tableOf({ model: 'm' }) }) },
      [`${line('mcp_servers.s.model')}; ${TOP}`],
    ],
    [
      'a guard in any table       ',
      {
        approval_policy: 'never',
        tui: tableOf({ x: tableOf({ sandbox_mode: 'read-only' }) }),
        mcp_servers: tableOf({ s: tableOf({ env: tableOf({ approval_policy: 'x' }) }) }),
        profiles: tableOf({ p: tableOf({ approval_policy: 'never' }) }),
      },
      [
        `here: tui.x.sandbox_mode has no effect there; ${TOP}`,
        `here: mcp_servers.s.env.approval_policy has no effect there; ${TOP}`,
      ],
    ],
    [
      'a key of a profile         ',
      { profiles: tableOf({ p: tableOf({ modl: 'x', tui: 'x' }) }) },
      [line('profiles.p.modl', 'model')],
    ],
  ])('names %s', (_, table, lines) => {
    expect(unknown(table)).toEqual(lines);
  });
});

describe('unreadPart', () => {
  it.each([
    [['model'], undefined],
    [['model_providers', 'p', 'base_url'], undefined],
    [['modl', 'x'], ['modl']],
    [
      ['model_providers', 'p', 'a', 'b'],
      ['model_providers', 'p', 'a'],
    ],
    [['toString'], ['toString']],
    [[], undefined],
  ])('of %j is %j', (path, part) => {
    expect(unreadPart(path)).toEqual(part);
  });
});
