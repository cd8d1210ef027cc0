/** What is written to a rollout, in the envelope that Codex writes since 0.142. */
import type { ResponseItem } from '../../protocol/model/items';

/**
 * One line. `response_item`: what the model reads again; `event_msg`: what a client shows of a stored thread; `turn_context`: the
 * settings of a turn; `compacted`: the history so far is replaced.
 */
export type RolloutEntry =
  | { type: 'session_meta'; payload: SessionMeta }
  | { type: 'turn_context'; payload: TurnContext }
  | { type: 'response_item'; payload: ResponseItem }
  | { type: 'event_msg'; payload: { type: string } & Record<string, unknown> }
  | { type: 'compacted'; payload: { message: string; replacement_history: readonly ResponseItem[] } };

/** The first line. `codex_rx`: settings of the thread that Codex has no name for. */
export type SessionMeta = {
  id: string;
  session_id: string;
  timestamp: string;
  cwd: string;
  originator: string;
  cli_version: string;
  source: string;
  model_provider: string;
  base_instructions?: { text: string };
  forked_from_id?: string;
  codex_rx?: OwnSettings;
};

/** Settings of a thread that this program started; `environment`: the machine it began on, which has its files. */
export type OwnSettings = {
  profile?: string;
  compactPrompt?: string;
  includePlanTool?: boolean;
  environment?: OwnEnvironment;
};

/** An environment by its id, with the executor of a pool. */
export type OwnEnvironment = { id: string; executor?: string };

/** The settings of a turn, in the names of Codex; `codex_rx` where it did not run on this machine, or the thread has come back to it. */
export type TurnContext = {
  turn_id: string;
  cwd: string;
  approval_policy: string;
  sandbox_policy: { type: string } & Record<string, unknown>;
  model: string;
  effort?: string;
  summary: string;
  codex_rx?: Pick<OwnSettings, 'environment'>;
};

/**
 * One line of a rollout, with its line end.
 * @param nowMs ms since 1970; @param ordinal the number of the line, in a rollout whose lines are counted
 */
export const toRolloutLine = ({ type, payload }: RolloutEntry, nowMs: number, ordinal?: number): string => {
  const timestamp = new Date(nowMs).toISOString();
  return `${JSON.stringify(ordinal === undefined ? { timestamp, type, payload } : { timestamp, ordinal, type, payload })}\n`;
};
