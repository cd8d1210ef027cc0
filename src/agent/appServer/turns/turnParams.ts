/** The params of `turn/start`: the input, and settings that differ from those of the thread. */
import { resolve } from 'node:path';
import type { UserInput } from '../../../protocol/codex/input';
import type { ThreadOp, TurnOp } from '../../../protocol/codex/operations';
import {
  type SandboxPolicy,
  type ThreadSettings,
  type TurnSettings,
  withTurnSettings,
} from '../../../protocol/codex/settings';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import { withoutUndefined } from '../../../protocol/jsonrpc/json';
import type { OpenDeps, OpenedThread } from '../threads/openThread';

/** An input in the form that the server takes. @param cwd the folder to which relative paths refer */
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
  const [always, once] = [overrides(deps, before, lasting), overrides(deps, before, settings)];
  const base = { ...thread.base, ...always };
  const restored = Object.fromEntries(thread.once.map((key) => [key, base[key] ?? DEFAULTS[key]]).filter(isGiven));
  return {
    ...opened,
    thread: { ...thread, settings: kept, base, once: Object.keys(once) },
    turnParams: { ...opened.turnParams, ...restored, ...always, ...once },
  };
};

/** The values of a thread that sets none itself; the server does not accept null for them. Source: codex app-server 0.169.0. */
const DEFAULTS: Record<string, string> = { effort: 'medium', summary: 'auto' };

const isGiven = ([, value]: readonly unknown[]): boolean => value != null;

const overrides = (
  { paramsOf }: Pick<OpenDeps, 'paramsOf'>,
  thread: ThreadSettings,
  own?: TurnSettings,
): JsonObject => {
  if (own === undefined) return {};
  const { cwd, approvalPolicy } = paramsOf(withTurnSettings(thread, own));
  const { model, effort, summary, sandbox } = own;
  const given = {
    model,
    effort,
    summary,
    cwd: own.cwd === undefined ? undefined : cwd,
    approvalPolicy: own.approvalPolicy === undefined ? undefined : approvalPolicy,
    sandboxPolicy: sandbox && toSandboxPolicy(sandbox),
  };
  return withoutUndefined(given);
};

const MODES = {
  'read-only': 'readOnly',
  'workspace-write': 'workspaceWrite',
  'danger-full-access': 'dangerFullAccess',
} as const;

const toSandboxPolicy = ({ mode, ...rest }: SandboxPolicy): JsonObject => ({ type: MODES[mode], ...rest });
