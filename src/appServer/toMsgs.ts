/** Owns what each notification of a turn is in `codex/event`. */
import type { EventMsg, JsonObject } from '../protocol';
import { changesOf, commandOf, durationOf, invocationOf, parsedOf, summaryOf } from './items';
import { numberOf, objectOf, textOf, textsOf } from './wire';

/**
 * What one turn has said so far. `open` are the items that have begun in the server, by id; `held` those of them whose
 * beginning was not told yet; `asked` those that somebody was asked about; `said` is the last message of the agent; `diff`
 * the last difference that was told.
 */
export type Heard = {
  open: Map<string, JsonObject>;
  held: Set<string>;
  asked: Set<string>;
  said: string | null;
  diff: string;
};

export const nothingHeard = (): Heard => ({ open: new Map(), held: new Set(), asked: new Set(), said: null, diff: '' });

type ToMsgs = (heard: Heard, params: JsonObject) => EventMsg[];

const itemId = ({ itemId: id }: JsonObject): string => textOf(id);

/**
 * An item that begins. What may still have to be approved is held back until it really begins: a command that is not
 * running yet, and every patch.
 */
const begin: ToMsgs = (heard, params) => {
  const item = objectOf(params.item);
  const id = textOf(item.id);
  heard.open.set(id, item);
  heard.held.add(id);
  const waits = item.type === 'fileChange' || (item.type === 'commandExecution' && item.source === 'agent');
  return waits ? [] : begun(heard, id);
};

/** The beginning of an item that was held back until now. */
export const begun = (heard: Heard, call_id: string): EventMsg[] => {
  const item = heard.open.get(call_id);
  return item !== undefined && heard.held.delete(call_id) ? beginOf(heard, call_id, item) : [];
};

/** Messages and reasoning are told by their deltas and their ends. */
const beginOf = (heard: Heard, call_id: string, item: JsonObject): EventMsg[] => {
  switch (item.type) {
    case 'commandExecution':
      return [
        {
          type: 'exec_command_begin',
          call_id,
          command: commandOf(item),
          cwd: textOf(item.cwd),
          parsed_cmd: parsedOf(item),
        },
      ];
    case 'fileChange':
      return [
        { type: 'patch_apply_begin', call_id, auto_approved: !heard.asked.has(call_id), changes: changesOf(item) },
      ];
    case 'mcpToolCall':
      return [{ type: 'mcp_tool_call_begin', call_id, invocation: invocationOf(item) }];
    case 'webSearch':
      return [{ type: 'web_search_begin', call_id }];
    default:
      return [];
  }
};

const end: ToMsgs = (heard, params) => {
  const item = objectOf(params.item);
  const id = textOf(item.id);
  const msgs = item.status === 'declined' && heard.held.has(id) ? [] : [...begun(heard, id), ...endOf(heard, item)];
  heard.open.delete(id);
  return msgs;
};

const endOf = (heard: Heard, item: JsonObject): EventMsg[] => {
  const call_id = textOf(item.id);
  switch (item.type) {
    case 'agentMessage':
      heard.said = textOf(item.text);
      return [{ type: 'agent_message', message: heard.said }];
    case 'reasoning':
      return [
        ...textsOf(item.summary).map((text) => ({ type: 'agent_reasoning' as const, text })),
        ...textsOf(item.content).map((text) => ({ type: 'agent_reasoning_raw_content' as const, text })),
      ];
    case 'commandExecution':
      return [commandEnd(call_id, item)];
    case 'fileChange':
      return [patchEnd(call_id, item)];
    case 'mcpToolCall':
      return [
        {
          type: 'mcp_tool_call_end',
          call_id,
          invocation: invocationOf(item),
          duration: durationOf(item),
          result: item.error ? { Err: textOf(objectOf(item.error).message) } : { Ok: item.result ?? null },
        },
      ];
    case 'webSearch':
      return [{ type: 'web_search_end', call_id, query: textOf(item.query) }];
    case 'contextCompaction':
      return [{ type: 'context_compacted' }];
    default:
      return [];
  }
};

const commandEnd = (call_id: string, item: JsonObject): EventMsg => {
  const output = textOf(item.aggregatedOutput);
  return {
    type: 'exec_command_end',
    call_id,
    stdout: output,
    stderr: '',
    aggregated_output: output,
    exit_code: typeof item.exitCode === 'number' ? item.exitCode : -1,
    duration: durationOf(item),
    formatted_output: output,
  };
};

const patchEnd = (call_id: string, item: JsonObject): EventMsg => {
  const success = item.status === 'completed';
  const stderr = success ? '' : `The patch was not applied (${textOf(item.status)}).`;
  return { type: 'patch_apply_end', call_id, stdout: success ? summaryOf(changesOf(item)) : '', stderr, success };
};

const PLAN_STATUS = { pending: 'pending', inProgress: 'in_progress', completed: 'completed' } as const;

const plan: ToMsgs = (_, { explanation, plan: steps }) => [
  {
    type: 'plan_update',
    explanation: textOf(explanation) || null,
    plan: (Array.isArray(steps) ? steps : []).map(objectOf).map(({ step, status }) => ({
      step: textOf(step),
      status: PLAN_STATUS[status as keyof typeof PLAN_STATUS] ?? 'pending',
    })),
  },
];

const usage: ToMsgs = (_, { tokenUsage }) => {
  const last = objectOf(objectOf(tokenUsage).last);
  return [
    {
      type: 'token_count',
      input_tokens: numberOf(last.inputTokens),
      cached_input_tokens: numberOf(last.cachedInputTokens),
      output_tokens: numberOf(last.outputTokens),
      reasoning_output_tokens: numberOf(last.reasoningOutputTokens),
      total_tokens: numberOf(last.totalTokens),
    },
  ];
};

/** The same difference comes several times; it is told once. */
const diff: ToMsgs = (heard, params) => {
  const unified_diff = textOf(params.diff);
  if (unified_diff === heard.diff) return [];
  heard.diff = unified_diff;
  return [{ type: 'turn_diff', unified_diff }];
};

const startup: ToMsgs = (_, { name, status, error }) => {
  const why = textOf(error) || textOf(objectOf(error).message);
  return status === 'failed'
    ? [{ type: 'warning', message: `The MCP server ${textOf(name)} could not be started${why && `: ${why}`}` }]
    : [];
};

const NOTIFICATIONS: Record<string, ToMsgs> = {
  'turn/started': () => [{ type: 'task_started', model_context_window: null }],
  'item/started': begin,
  'item/completed': end,
  'item/agentMessage/delta': (_, params) => [
    { type: 'agent_message_delta', delta: textOf(params.delta), item_id: itemId(params) },
  ],
  'item/reasoning/summaryTextDelta': (_, params) => [
    { type: 'agent_reasoning_delta', delta: textOf(params.delta), item_id: itemId(params) },
  ],
  'item/reasoning/textDelta': (_, params) => [
    { type: 'agent_reasoning_raw_content_delta', delta: textOf(params.delta), item_id: itemId(params) },
  ],
  'item/reasoning/summaryPartAdded': (_, params) => [
    { type: 'agent_reasoning_section_break', item_id: itemId(params) },
  ],
  'item/commandExecution/outputDelta': (heard, params) => [
    ...begun(heard, itemId(params)),
    {
      type: 'exec_command_output_delta',
      call_id: itemId(params),
      stream: 'stdout',
      chunk: Buffer.from(textOf(params.delta)),
    },
  ],
  'turn/plan/updated': plan,
  'turn/diff/updated': diff,
  'thread/tokenUsage/updated': usage,
  'mcpServer/startupStatus/updated': startup,
  warning: (_, { message }) => [{ type: 'warning', message: textOf(message) }],
  deprecationNotice: (_, { summary, message }) => [{ type: 'warning', message: textOf(summary) || textOf(message) }],
  error: (_, { error, willRetry }) =>
    willRetry === true ? [{ type: 'stream_error', message: textOf(objectOf(error).message) }] : [],
};

/** What a notification says; nothing for one that is not known. `heard` is changed by it. */
export const toMsgs = (heard: Heard, method: string, params: JsonObject): EventMsg[] =>
  Object.hasOwn(NOTIFICATIONS, method) ? (NOTIFICATIONS[method] as ToMsgs)(heard, params) : [];

/** Ends what was left open, so that whatever was told to begin also ends. */
export const closeOpen = (heard: Heard): EventMsg[] => {
  const left = [...heard.open].filter(
    ([id, { type }]) => !heard.held.has(id) && type !== 'agentMessage' && type !== 'reasoning',
  );
  heard.open.clear();
  return left.flatMap(([, item]) => endOf(heard, item.type === 'mcpToolCall' ? { ...item, error: CUT } : item));
};

const CUT = { message: 'the turn ended before the call did' };
