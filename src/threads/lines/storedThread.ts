/** Reads a whole rollout: the id of its thread, its settings, its conversation. */
import {
  APPROVAL_POLICIES,
  type ApprovalPolicy,
  SANDBOX_MODES,
  type SandboxMode,
  type ThreadSettings,
} from '../../protocol/codex/settings';
import { isObject, type JsonObject, withoutUndefined } from '../../protocol/jsonrpc/json';
import type { TokenUsage } from '../../protocol/model/events';
import type { ResponseItem } from '../../protocol/model/items';
import { parseLines } from './readRolloutLine';
import type { OwnEnvironment } from './rolloutEntry';
import { isSessionStart, toSessionStart } from './sessionStart';
import { storedItems } from './storedItems';
import { storedUsage } from './tokenCount';

/**
 * A thread as its rollout holds it. `settings` are those of its last turn, as a call would ask for them; `environment`: the machine that
 * has its files, where that is not this one; `usage`: the tokens it has used; `nextOrdinal`: the number of the next line in a rollout whose
 * lines are counted.
 */
export type StoredThread = {
  id: string;
  settings: ThreadSettings;
  items: ResponseItem[];
  environment?: OwnEnvironment;
  usage?: TokenUsage;
  nextOrdinal?: number;
};

/** Reads a rollout; undefined where its first line does not start one. A last line that was cut off is left out. */
export const readThread = (text: string): StoredThread | undefined => {
  const lines = parseLines(text);
  const [head] = lines;
  if (head === undefined || !isSessionStart(head)) return undefined;
  const meta = isObject(head.payload) ? head.payload : head;
  const environment = environmentOf(lines, meta);
  const usage = storedUsage(lines);
  const ordinal = lines.findLast((line) => typeof line.ordinal === 'number')?.ordinal;
  return {
    id: toSessionStart(head).threadId,
    settings: settingsOf(lines, meta, environment),
    items: storedItems(lines.slice(1)),
    ...(environment !== undefined && { environment }),
    ...(usage !== undefined && { usage }),
    ...(typeof ordinal === 'number' && { nextOrdinal: ordinal + 1 }),
  };
};

/** The first line names the provider, the last context all else; 0.28.0 writes settings only for the model to read. */
const settingsOf = (
  lines: readonly JsonObject[],
  meta: JsonObject,
  environment: OwnEnvironment | undefined,
): ThreadSettings => {
  const context = lines.findLast((line) => line.type === 'turn_context' && isObject(line.payload));
  const found = isObject(context?.payload) ? context.payload : environmentIn(lines);
  const { sandbox_policy: policy } = found;
  const own = isObject(meta.codex_rx) ? meta.codex_rx : {};
  return withoutUndefined({
    cwd: textOf(found.cwd) ?? textOf(meta.cwd),
    model: textOf(found.model),
    approvalPolicy: APPROVAL_POLICIES.find((one): one is ApprovalPolicy => one === found.approval_policy),
    sandbox: modeOf(isObject(policy) ? (policy.type ?? policy.mode) : policy),
    config: withoutUndefined({
      environment_id: environment?.id,
      model_provider: textOf(meta.model_provider),
      model_reasoning_effort: textOf(found.effort),
      model_reasoning_summary: textOf(found.summary),
      sandbox_workspace_write: isObject(policy) && policy.type === 'workspace-write' ? writesOf(policy) : undefined,
    }),
    profile: textOf(own.profile),
    compactPrompt: textOf(own.compactPrompt),
    includePlanTool: own.includePlanTool === true ? true : undefined,
    baseInstructions: meta.codex_rx === undefined ? undefined : instructionsOf(meta.base_instructions),
  });
};

/** The environment of the last turn that names one, else that of the first line. */
const environmentOf = (lines: readonly JsonObject[], meta: JsonObject): OwnEnvironment | undefined => {
  const contexts = lines.filter((line) => line.type === 'turn_context').map(({ payload }) => payload);
  const found = [meta, ...contexts].map(ownEnvironment).findLast((one) => one !== undefined);
  const { id, executor } = found ?? {};
  return typeof id === 'string' ? { id, ...(typeof executor === 'string' && { executor }) } : undefined;
};

const ownEnvironment = (value: unknown): JsonObject | undefined => {
  const own = isObject(value) ? value.codex_rx : undefined;
  return isObject(own) && isObject(own.environment) ? own.environment : undefined;
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const modeOf = (mode: unknown): SandboxMode | undefined => SANDBOX_MODES.find((one) => one === mode);

const instructionsOf = (value: unknown): string | undefined => (isObject(value) ? textOf(value.text) : undefined);

const writesOf = (policy: JsonObject): JsonObject =>
  withoutUndefined({
    writable_roots: Array.isArray(policy.writable_roots)
      ? policy.writable_roots.filter((root) => typeof root === 'string')
      : undefined,
    network_access: flagOf(policy.network_access),
    exclude_tmpdir_env_var: flagOf(policy.exclude_tmpdir_env_var),
    exclude_slash_tmp: flagOf(policy.exclude_slash_tmp),
  });

const flagOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** Source: Codex 0.28.0, CORE 4.6. */
const ENVIRONMENT = /^\s*<(cwd|approval_policy|sandbox_mode)>([^<\n]*)<\/\1>$/gm;

const environmentIn = (lines: readonly JsonObject[]): JsonObject => {
  const text = lines.map(textIn).findLast((each) => each.trimStart().startsWith('<environment_context>')) ?? '';
  const found = [...text.matchAll(ENVIRONMENT)].map(([, key, value]) => [key, value]);
  const { sandbox_mode, ...rest } = Object.fromEntries(found);
  return { ...rest, sandbox_policy: sandbox_mode };
};

const textIn = ({ content }: JsonObject): string => {
  const [part] = Array.isArray(content) ? content : [];
  return isObject(part) && typeof part.text === 'string' ? part.text : '';
};
