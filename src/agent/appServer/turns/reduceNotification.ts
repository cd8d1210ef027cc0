/** The reducer of the notifications of a turn. */
import type { EventMsg, McpStartupStatus, PlanStep } from '../../../protocol/codex/eventMsg';
import { ownOf } from '../../../protocol/jsonrpc/json';
import type { Notification } from '../../../protocol/jsonrpc/messages';
import type { TokenUsage } from '../../../protocol/model/events';
import {
  DeltaParams,
  DiffParams,
  ErrorParams,
  ErrorTextOrInfo,
  GoalParams,
  NoticeParams,
  PlanParams,
  read,
  StartupParams,
  type TokenNumbers,
  TokenUsageParams,
} from '../shapes';
import { announceItem, completeItem, startItem } from './reduceItem';
import { emitting, type ReducedTurn, type ReduceParams, type TurnState } from './turnState';

const STATUS: Record<string, PlanStep['status']> = {
  pending: 'pending',
  inProgress: 'in_progress',
  completed: 'completed',
};

export const plan = emitting((params) => {
  const { explanation, plan: steps } = read(PlanParams, params);
  return [
    {
      type: 'plan_update',
      explanation: explanation || null,
      plan: steps.map(({ step, status }) => ({ step, status: ownOf(STATUS, status) ?? 'pending' })),
    },
  ];
});

export const usage = emitting((params) => {
  const { last, total, modelContextWindow } = read(TokenUsageParams, params).tokenUsage;
  const sums = {
    ...(total && { total: toUsage(total) }),
    ...(modelContextWindow !== undefined && { model_context_window: modelContextWindow }),
  };
  return [{ type: 'token_count', ...toUsage(last), ...sums }];
});

const toUsage = (tokens: TokenNumbers): TokenUsage => ({
  input_tokens: tokens.inputTokens,
  cached_input_tokens: tokens.cachedInputTokens,
  output_tokens: tokens.outputTokens,
  reasoning_output_tokens: tokens.reasoningOutputTokens,
  total_tokens: tokens.totalTokens,
});

/** The server sends the same diff several times; it is emitted once. */
export const diff: ReduceParams = (state, params) => {
  const { diff: unified_diff } = read(DiffParams, params);
  if (unified_diff === state.diff) return { state, output: [] };
  return { state: { ...state, diff: unified_diff }, output: [{ type: 'turn_diff', unified_diff }] };
};

const textDelta = (type: Extract<EventMsg, { delta: string }>['type']): ReduceParams =>
  emitting((params) => {
    const { delta, itemId } = read(DeltaParams, params);
    return [{ type, delta, item_id: itemId }];
  });

/** Output shows that its command is running. */
const output: ReduceParams = (state, params) => {
  const { delta, itemId: call_id } = read(DeltaParams, params);
  const announced = announceItem(state, call_id);
  const chunk = Buffer.from(delta);
  const msg = { type: 'exec_command_output_delta' as const, call_id, stream: 'stdout' as const, chunk };
  return { ...announced, output: [...announced.output, msg] };
};

/** Reducers of deltas, by method. */
export const DELTAS: Record<string, ReduceParams> = {
  'item/agentMessage/delta': textDelta('agent_message_delta'),
  'item/reasoning/summaryTextDelta': textDelta('agent_reasoning_delta'),
  'item/reasoning/textDelta': textDelta('agent_reasoning_raw_content_delta'),
  'item/reasoning/summaryPartAdded': emitting((params) => [
    { type: 'agent_reasoning_section_break', item_id: read(DeltaParams, params).itemId },
  ]),
  'item/commandExecution/outputDelta': output,
};

/** In one turn. */
const MAX_GOALS = 100;

/** A new goal of the thread, or a new status of it, as a call of a tool: no event is only for that. Source: codex app-server 0.171. */
const goal: ReduceParams = (state, params) => {
  const { objective, status } = read(GoalParams, params).goal;
  const now = `${status}: ${objective}`;
  if (objective === '' || state.goals.at(-1) === now || state.goals.length === MAX_GOALS) return { state, output: [] };
  const call_id = `goal-${state.turnId}-${state.goals.length}`;
  const invocation = { server: 'goal', tool: status, arguments: { objective } };
  const duration = { secs: 0, nanos: 0 };
  return {
    state: { ...state, goals: [...state.goals, now] },
    output: [
      { type: 'mcp_tool_call_begin', call_id, invocation },
      { type: 'mcp_tool_call_end', call_id, invocation, duration, result: { Ok: { content: [] } } },
    ],
  };
};

/** An MCP server that Codex itself starts: how far its start is, and a warning if it failed. Source: codex app-server 0.142.0 and 0.169.0. */
export const startup = emitting((params) => {
  const { name, status, error } = read(StartupParams, params);
  const reason = read(ErrorTextOrInfo, error);
  const update = (about: McpStartupStatus): EventMsg => ({ type: 'mcp_startup_update', server: name, status: about });
  if (status === 'starting' || status === 'ready' || status === 'cancelled') return [update({ state: status })];
  if (status !== 'failed') return [];
  const message = `The MCP server ${name} could not be started${reason && `: ${reason}`}`;
  return [{ type: 'warning', message }, update({ state: 'failed', error: reason })];
});

export const notice = emitting((params) => {
  const { summary, message } = read(NoticeParams, params);
  return [{ type: 'warning', message: summary || message }];
});

/** An error after which the server tries again; a final one ends the turn and is reported at that point. */
export const retried = emitting((params) => {
  const { error, willRetry } = read(ErrorParams, params);
  return willRetry ? [{ type: 'stream_error', message: error.message }] : [];
});

const REDUCERS: Record<string, ReduceParams> = {
  ...DELTAS,
  'turn/started': emitting(() => [{ type: 'task_started', model_context_window: null }]),
  'item/started': startItem,
  'item/completed': completeItem,
  'turn/plan/updated': plan,
  'turn/diff/updated': diff,
  'thread/tokenUsage/updated': usage,
  'thread/goal/updated': goal,
  'mcpServer/startupStatus/updated': startup,
  warning: notice,
  deprecationNotice: notice,
  error: retried,
};

/** The state after a notification, and its events in the form of `codex/event`; nothing for an unknown method. */
export const reduceNotification = (
  state: TurnState,
  { method, params }: Pick<Notification, 'method' | 'params'>,
): ReducedTurn => ownOf(REDUCERS, method)?.(state, params) ?? { state, output: [] };
