/** The methods that show config.toml: `getConfigToml` of 0.28.0, `getUserSavedConfig` of later releases. */
import { of } from 'rxjs';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { CodexHost } from '../../protocol/methods/host';
import { toResult } from '../../protocol/rpc/answerOnce';
import { badMachine, type CodexMethod, withFaults } from '../method';

type ConfigHost = Pick<CodexHost, 'savedConfig'>;

/** Only the members that are named here leave: the file may hold secrets. Source: Codex 0.28.0, tapes rpc-config-toml*. */
export const getConfigToml =
  ({ savedConfig }: ConfigHost): CodexMethod =>
  () =>
    withFaults(badMachine('failed to load config.toml: '), () => of(toResult(toConfigToml(savedConfig()))));

/** Source: the app-server protocol of the releases after 0.28.0. */
export const getUserSavedConfig =
  ({ savedConfig }: ConfigHost): CodexMethod =>
  () =>
    withFaults(badMachine('failed to load config.toml: '), () =>
      of(toResult({ config: toSavedConfig(savedConfig()) })),
    );

const TOP = {
  approvalPolicy: 'approval_policy',
  sandboxMode: 'sandbox_mode',
  modelReasoningEffort: 'model_reasoning_effort',
};

const toConfigToml = (saved: JsonObject): JsonObject => ({
  ...given(saved, TOP),
  ...given(saved, { profile: 'profile' }),
  profiles: profilesOf(saved, (profile) => ({
    model: profile.model ?? null,
    approvalPolicy: profile.approval_policy ?? null,
    modelReasoningEffort: profile.model_reasoning_effort ?? null,
  })),
});

const MODEL = {
  model: 'model',
  modelReasoningEffort: 'model_reasoning_effort',
  modelReasoningSummary: 'model_reasoning_summary',
  modelVerbosity: 'model_verbosity',
};

const SANDBOX = {
  writableRoots: 'writable_roots',
  networkAccess: 'network_access',
  excludeTmpdirEnvVar: 'exclude_tmpdir_env_var',
  excludeSlashTmp: 'exclude_slash_tmp',
};

const toSavedConfig = (saved: JsonObject): JsonObject => ({
  ...given(saved, { approvalPolicy: 'approval_policy', sandboxMode: 'sandbox_mode' }),
  ...(isObject(saved.sandbox_workspace_write) && { sandboxSettings: given(saved.sandbox_workspace_write, SANDBOX) }),
  ...given(saved, MODEL),
  ...(isObject(saved.tools) && { tools: given(saved.tools, { webSearch: 'web_search', viewImage: 'view_image' }) }),
  ...given(saved, { profile: 'profile' }),
  profiles: profilesOf(saved, (profile) => given(profile, { ...MODEL, ...PROVIDER })),
});

const PROVIDER = { modelProvider: 'model_provider', approvalPolicy: 'approval_policy' };

const given = (table: JsonObject, names: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(
    Object.entries(names)
      .filter(([, key]) => table[key] !== undefined)
      .map(([name, key]) => [name, table[key]]),
  );

const profilesOf = ({ profiles }: JsonObject, show: (profile: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(profiles) ? profiles : {}).map(([name, profile]) => [
      name,
      show(isObject(profile) ? profile : {}),
    ]),
  );
