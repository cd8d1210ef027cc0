/** What an event of a turn adds to the record of its thread. */

import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { Event } from '../../protocol/codex/events';
import type { Config } from '../../settings/config';
import type { RolloutEntry, TurnContext } from '../../threads/lines/rolloutEntry';
import { toTokenCount } from '../../threads/lines/tokenCount';
import type { Workspace } from '../thread/workspace';

/** The facts of a turn that its events do not carry. `environment`: where it runs, if that was chosen; `nowMs`: ms since 1970. */
export type RecordedTurn = {
  turnId: string;
  config: Config;
  environment?: Workspace['environment'];
  nowMs: number;
};

/** The entries of an event; none for events that clients do not need in order to show a stored thread. */
export const recordEvent = (turn: RecordedTurn, event: Event): RolloutEntry[] =>
  event.kind === 'event' ? recordMsg(turn, event.msg) : [];

const recordMsg = (turn: RecordedTurn, msg: EventMsg): RolloutEntry[] => {
  const { turnId: turn_id, config, nowMs } = turn;
  switch (msg.type) {
    case 'task_started':
      return [
        toEntry({ ...msg, turn_id, started_at: Math.floor(nowMs / 1000) }),
        { type: 'turn_context', payload: toContext(turn) },
      ];
    case 'agent_message':
      return [toEntry({ ...msg, phase: null })];
    case 'token_count':
      return [toTokenCount({ last: msg, total: msg.total ?? msg, window: config.contextWindow })];
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
    case 'error':
    case 'warning':
      return [toEntry(msg)];
    case 'task_complete':
    case 'turn_aborted':
      return [toEntry({ ...msg, turn_id })];
    default:
      return [];
  }
};

const toEntry = (payload: { type: string } & Record<string, unknown>): RolloutEntry => ({ type: 'event_msg', payload });

/** Source: rollouts of codex 0.142.0. */
const toContext = ({ turnId, config, environment }: RecordedTurn): TurnContext => ({
  turn_id: turnId,
  cwd: config.cwd,
  approval_policy: config.approvalPolicy,
  sandbox_policy: toPolicy(config),
  model: config.model,
  effort: config.reasoningEffort,
  summary: config.reasoningSummary,
  ...(environment && { codex_rx: { environment } }),
});

const toPolicy = ({ sandboxMode, workspaceWrite }: Config): TurnContext['sandbox_policy'] =>
  sandboxMode === 'workspace-write'
    ? {
        type: sandboxMode,
        writable_roots: workspaceWrite.writableRoots,
        network_access: workspaceWrite.networkAccess,
        exclude_tmpdir_env_var: workspaceWrite.excludeTmpdirEnvVar,
        exclude_slash_tmp: workspaceWrite.excludeSlashTmp,
      }
    : { type: sandboxMode };
