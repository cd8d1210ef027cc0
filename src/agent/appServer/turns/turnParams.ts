/** The params of `turn/start`: the input, and settings that differ from the settings of the thread. */
import { resolve } from 'node:path';
import type { ThreadOp, TurnOp, UserInput } from '../../../protocol/codex/operations';
import type { SandboxMode, ThreadSettings } from '../../../protocol/codex/settings';
import { type SandboxPolicy, type TurnSettings, withTurnSettings } from '../../../protocol/codex/turnSettings';
import { isObject, type JsonObject, withoutUndefined } from '../../../protocol/jsonrpc/json';
import type { OpenDeps, OpenedThread } from '../threads/openThread';
import { addedTo, changedMembers } from '../threads/threadParams';

/**
 * An input in the form that the server takes.
 * @param cwd the folder to which relative paths refer
 */
export const toItems = (input: readonly UserInput[], cwd: string): JsonObject[] =>
  input.map((item) => (item.type === 'localImage' ? { ...item, path: resolve(cwd, item.path) } : { ...item }));

/**
 * The thread, ready for a turn under settings of its own. The server keeps what a turn sets, so a setting that was for one turn only is reset by
 * the next. Throws ConfigError if settings exceed what the operator allows.
 * Source: codex app-server 0.142.0 to 0.169.0.
 */
export const withSettings = (deps: Pick<OpenDeps, 'paramsOf'>, opened: OpenedThread, op: ThreadOp): OpenedThread => {
  const { thread } = opened;
  const { lasting, settings }: Pick<TurnOp, 'lasting' | 'settings'> = 'input' in op ? op : {};
  const kept = thread.settings && lasting ? withTurnSettings(thread.settings, lasting) : thread.settings;
  const before = kept ?? thread.settings ?? {};
  const [always, once] = [overrides(deps, thread.settings ?? {}, lasting), overrides(deps, before, settings)];
  const base = { ...thread.base, ...always };
  const restored = Object.fromEntries(thread.once.map((key) => [key, base[key] ?? DEFAULTS[key]]).filter(isGiven));
  return {
    ...opened,
    thread: { ...thread, settings: kept, ...addedTo(thread, lasting), base, once: Object.keys(once) },
    turnParams: { ...opened.turnParams, ...restored, ...always, ...once },
  };
};

/** The values of a thread that sets none itself; the server does not accept null for them. Source: codex app-server 0.169.0. */
const DEFAULTS: Record<string, string> = { effort: 'medium', summary: 'auto' };

const isGiven = ([, value]: readonly unknown[]): boolean => value != null;

/** What a call or a turn sets, by itself or by a profile or a key of `config`. */
const overrides = (
  { paramsOf }: Pick<OpenDeps, 'paramsOf'>,
  thread: ThreadSettings,
  own?: TurnSettings,
): JsonObject => {
  if (own === undefined) return {};
  const params = paramsOf(withTurnSettings(thread, own));
  const byKeys = own.profile || own.config ? changedMembers(paramsOf(thread), params) : {};
  const keys: JsonObject = isObject(byKeys.config) ? byKeys.config : {};
  const mode: string | undefined = MODES[byKeys.sandbox as SandboxMode];
  const { model, effort, summary, cwd, approvalPolicy, sandbox } = own;
  return withoutUndefined({
    model: model ?? byKeys.model,
    effort: effort ?? keys.model_reasoning_effort,
    summary: summary ?? keys.model_reasoning_summary,
    cwd: cwd === undefined ? undefined : params.cwd,
    approvalPolicy: approvalPolicy ? params.approvalPolicy : byKeys.approvalPolicy,
    sandboxPolicy: sandbox ? toSandboxPolicy(sandbox) : mode && { type: mode },
  });
};

const MODES = {
  'read-only': 'readOnly',
  'workspace-write': 'workspaceWrite',
  'danger-full-access': 'dangerFullAccess',
} as const;

const toSandboxPolicy = ({ mode, ...rest }: SandboxPolicy): JsonObject => ({ type: MODES[mode], ...rest });
