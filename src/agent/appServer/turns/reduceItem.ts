/** The items of a turn: when their beginning and their end are emitted, and as what. Every beginning that was emitted gets an end. */
import type { EventMsg, ToolInvocation } from '../../../protocol/codex/eventMsg';
import { ownOf } from '../../../protocol/jsonrpc/json';
import { changesOf, commandOf, durationOf, invocationOf, parsedOf, summaryOf } from '../items/items';
import { type Item, ItemParams, read } from '../shapes';
import { type ReducedTurn, type ReduceParams, type TurnState, withEntry } from './turnState';

/** `item/started`. A command that is not running yet, and every patch, may need approval: its beginning is emitted once it begins. */
export const startItem: ReduceParams = (state, params) => {
  const { item } = read(ItemParams, params);
  const started = { ...state, items: withEntry(withRoom(state.items), item.id, { item, isAnnounced: false }) };
  return mayWait(item) ? { state: started, output: [] } : announceItem(started, item.id);
};

/** No turn has so many open items; each change copies all of them, and a server that kept opening more would hold up everything else. */
const MAX_OPEN = 256;

/** If there are too many, the oldest is forgotten. */
const withRoom = (items: TurnState['items']): TurnState['items'] => {
  const [oldest] = items.size < MAX_OPEN ? [] : items.keys();
  return oldest === undefined ? items : withEntry(items, oldest, undefined);
};

const mayWait = ({ type, source }: Item): boolean =>
  type === 'fileChange' || (type === 'commandExecution' && source === 'agent');

/** Emits the beginning of an open item, unless it was already emitted. */
export const announceItem = (state: TurnState, id: string): ReducedTurn => {
  const open = state.items.get(id);
  if (open === undefined || open.isAnnounced) return { state, output: [] };
  const { item } = open;
  const toMsg = ownOf(BEGINNINGS, item.type);
  return {
    state: { ...state, items: withEntry(state.items, id, { item, isAnnounced: true }) },
    output: toMsg === undefined ? [] : [toMsg(id, item, state)],
  };
};

/** By type of item. Messages and reasoning have no beginning in `codex/event`, only deltas and an end. */
const BEGINNINGS: Record<string, (call_id: string, item: Item, state: TurnState) => EventMsg> = {
  commandExecution: (call_id, item) => ({
    type: 'exec_command_begin',
    call_id,
    command: commandOf(item),
    cwd: item.cwd,
    parsed_cmd: parsedOf(item),
  }),
  fileChange: (call_id, item, { reviewed }) => ({
    type: 'patch_apply_begin',
    call_id,
    auto_approved: !reviewed.has(call_id),
    changes: changesOf(item),
  }),
  mcpToolCall: (call_id, item) => ({ type: 'mcp_tool_call_begin', call_id, invocation: invocationOf(item) }),
  collabAgentToolCall: (call_id, item) => ({ type: 'mcp_tool_call_begin', call_id, invocation: agentCallOf(item) }),
  subAgentActivity: (call_id, item) => ({ type: 'mcp_tool_call_begin', call_id, invocation: agentCallOf(item) }),
  webSearch: (call_id) => ({ type: 'web_search_begin', call_id }),
};

/** What Codex does with other agents is shown as a call of a tool: no event is only for that. Source: codex app-server 0.171, ThreadItem. */
const agentCallOf = ({ tool, kind, prompt, model, receiverThreadIds: agents, agentPath }: Item): ToolInvocation => ({
  server: 'agents',
  tool: tool || kind,
  arguments: {
    ...(prompt !== '' && { prompt }),
    ...(model !== '' && { model }),
    ...(agents.length > 0 && { agents }),
    ...(agentPath !== '' && { agent: agentPath }),
  },
});

/** `item/completed`. An item that was declined before its beginning was emitted gets no end either. */
export const completeItem: ReduceParams = (state, params) => {
  const { item } = read(ItemParams, params);
  const neverBegan = item.status === 'declined' && state.items.get(item.id)?.isAnnounced === false;
  const begun = neverBegan ? { state, output: [] } : announceItem(state, item.id);
  return {
    state: {
      ...begun.state,
      items: withEntry(state.items, item.id, undefined),
      lastMessage: item.type === 'agentMessage' ? item.text : state.lastMessage,
    },
    output: neverBegan ? [] : [...begun.output, ...endOf(item)],
  };
};

/** Ends the items that are still open when their turn ends. */
export const closeItems = (state: TurnState): ReducedTurn => ({
  state: { ...state, items: new Map() },
  output: [...state.items.values()]
    .filter(({ item, isAnnounced }) => isAnnounced && !WITHOUT_BEGINNING.has(item.type))
    .flatMap(({ item }) => endOf({ ...item, error: CUT_OFF })),
});

const WITHOUT_BEGINNING: ReadonlySet<string> = new Set(['agentMessage', 'reasoning']);
const CUT_OFF = { message: 'the turn ended before the call did' };

const endOf = (item: Item): EventMsg[] => ownOf(ENDS, item.type)?.(item, item.id) ?? [];

type ToEnd = (item: Item, call_id: string) => EventMsg[];

const reasoning: ToEnd = ({ summary, content }) => [
  ...summary.map((text) => ({ type: 'agent_reasoning' as const, text })),
  ...content.map((text) => ({ type: 'agent_reasoning_raw_content' as const, text })),
];

/** Source: codex app-server 0.142.0 to 0.169.0: both outputs come as one, and there is no exit code if the command was stopped. */
const command: ToEnd = (item, call_id) => {
  const { aggregatedOutput: output, exitCode: exit_code } = item;
  const outputs = { stdout: output, stderr: '', aggregated_output: output, formatted_output: output };
  return [{ type: 'exec_command_end', call_id, ...outputs, exit_code, duration: durationOf(item) }];
};

const patch: ToEnd = (item, call_id) => {
  const success = item.status === 'completed';
  const stderr = success ? '' : `The patch was not applied (${item.status}).`;
  return [{ type: 'patch_apply_end', call_id, stdout: success ? summaryOf(changesOf(item)) : '', stderr, success }];
};

const toolCall: ToEnd = (item, call_id) => {
  const result = item.error ? { Err: item.error.message } : { Ok: item.result ?? null };
  return [{ type: 'mcp_tool_call_end', call_id, invocation: invocationOf(item), duration: durationOf(item), result }];
};

/** The last message of each agent, or its status. */
const agentCall: ToEnd = (item, call_id) => {
  const { agentsStates, status, error } = item;
  const text = Object.entries(agentsStates).map(([id, agent]) => `${id}: ${agent.message || agent.status}`);
  const result =
    error || status === 'failed'
      ? { Err: error?.message || text.join('\n') || 'the call failed' }
      : { Ok: { content: text.map((one) => ({ type: 'text', text: one })) } };
  return [{ type: 'mcp_tool_call_end', call_id, invocation: agentCallOf(item), duration: durationOf(item), result }];
};

const ENDS: Record<string, ToEnd> = {
  agentMessage: ({ text }) => [{ type: 'agent_message', message: text }],
  reasoning,
  commandExecution: command,
  fileChange: patch,
  mcpToolCall: toolCall,
  collabAgentToolCall: agentCall,
  subAgentActivity: agentCall,
  webSearch: ({ query }, call_id) => [{ type: 'web_search_end', call_id, query }],
  contextCompaction: () => [{ type: 'context_compacted' }],
};
