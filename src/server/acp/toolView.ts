/** The calls of the agent in the turns of a session, as a client was shown them. */
import type { SessionUpdate, ToolCallFields, ToolCallStatus } from '../../protocol/acp/acp';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { Reduced } from '../../streams/gather';
import { emptyMap, getValue, type PersistentMap, withValue } from '../calls/persistentMap';
import {
  ofChanges,
  ofChangesEnd,
  ofCommand,
  ofCommandEnd,
  ofInvocation,
  ofInvocationEnd,
  ofOutput,
  toTitle,
} from './toolCalls';

/** What the client was shown so far. */
export type TurnView = {
  /** The folder of the session. */
  cwd: string;
  /** Begins the ids of messages: no other turn of the session has it. */
  prefix: string;
  /** How many messages were begun under it. */
  messages: number;
  /** Messages whose chunks arrive, by what they are. */
  open: { readonly [kind in ChunkKind]?: OpenMessage };
  /** Tool calls that have not ended, by the ids that the agent gives them. */
  tools: ReadonlyMap<string, ShownTool>;
  /** How many calls of an id have ended. */
  ended: PersistentMap<number>;
  /** Tokens that the model can hold, if that is known. */
  window: number | null;
};

/** What a chunk is a part of. */
export type ChunkKind = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';

/** `item` is the id that the agent gives the message. */
type OpenMessage = { item: string; id: string };

type ShownTool = {
  /** What the agent calls it. */
  callId: string;
  /** What the client calls it. */
  id: string;
  status: ToolCallStatus;
  /** The end of the output so far. */
  output?: Uint8Array;
  /** The client shows what it writes, in a terminal. */
  inTerminal?: true;
};

/** A view, and the updates that show what is new in it. */
export type Shown = Reduced<TurnView, SessionUpdate>;

/** Nothing to show. */
export const unchanged = (state: TurnView): Shown => ({ state, output: [] });

/** The view of a session before its first turn. */
export const newView = (cwd: string, prefix: string): TurnView => ({
  cwd,
  prefix,
  messages: 0,
  open: {},
  tools: new Map(),
  ended: emptyMap(),
  window: null,
});

/** The view when a turn begins. @param prefix unique in the session */
export const beginTurn = (view: TurnView, prefix: string): TurnView => ({ ...view, prefix, messages: 0, open: {} });

/** The view after an event of a call. */
export const showTool = (view: TurnView, msg: EventMsg): Shown => {
  switch (msg.type) {
    case 'exec_command_begin':
      return beginTool(view, msg.call_id, ofCommand(msg));
    case 'exec_approval_request':
      return announceTool(view, msg.call_id, ofCommand(msg));
    case 'exec_command_output_delta':
      return showOutput(view, msg.call_id, msg.chunk);
    case 'exec_command_end':
      return endCommand(view, msg);
    case 'patch_apply_begin':
      return beginTool(view, msg.call_id, ofChanges(msg.changes, view.cwd));
    case 'apply_patch_approval_request':
      return announceTool(view, msg.call_id, ofChanges(msg.changes, view.cwd));
    case 'patch_apply_end':
      return updateTool(view, msg.call_id, ofChangesEnd(msg));
    case 'mcp_tool_call_begin':
      return beginTool(view, msg.call_id, ofInvocation(msg.invocation));
    case 'mcp_tool_call_end':
      return updateTool(view, msg.call_id, ofInvocationEnd(msg));
    case 'web_search_begin':
      return beginTool(view, msg.call_id, { title: 'Search the web', kind: 'fetch' });
    case 'web_search_end':
      return updateTool(view, msg.call_id, { status: 'completed', title: toTitle(`Search the web: ${msg.query}`) });
    default:
      return unchanged(view);
  }
};

const isOpen = (status: ToolCallStatus): boolean => status === 'pending' || status === 'in_progress';

const withTool = (view: TurnView, tool: ShownTool): TurnView => ({
  ...view,
  open: {},
  tools: new Map(view.tools).set(tool.callId, tool),
});

const withoutTool = (view: TurnView, callId: string): TurnView => ({
  ...view,
  open: {},
  tools: new Map([...view.tools].filter(([one]) => one !== callId)),
  ended: withValue(view.ended, callId, endedOf(view, callId) + 1),
});

const endedOf = ({ ended }: TurnView, callId: string): number => getValue(ended, callId) ?? 0;

/** Models number their calls, so an id may come again: the client gets another id then. */
const toId = (callId: string, count: number): string => (count <= 1 ? callId : `${callId}#${count}`);

/** A call that waits for a person. */
export const announceTool = (view: TurnView, callId: string, fields: ToolCallFields): Shown =>
  startTool(view, callId, { ...fields, status: 'pending' });

const startTool = (view: TurnView, callId: string, fields: ToolCallFields & { status: ToolCallStatus }): Shown => {
  if (view.tools.has(callId)) return updateTool(view, callId, fields);
  const id = toId(callId, endedOf(view, callId) + 1);
  const update = { sessionUpdate: 'tool_call', toolCallId: id, title: callId, ...fields } as const;
  return { state: withTool(view, { callId, id, status: fields.status }), output: [update] };
};

const beginTool = (view: TurnView, callId: string, fields: ToolCallFields): Shown =>
  startTool(view, callId, { ...fields, status: 'in_progress' });

/** Members of an open call that change. A call that has ended, or never begun, stays as it is. */
export const updateTool = (view: TurnView, callId: string, fields: ToolCallFields): Shown => {
  const tool = view.tools.get(callId);
  if (tool === undefined) return unchanged(view);
  const status = fields.status ?? tool.status;
  return {
    state: isOpen(status) ? withTool(view, { ...tool, status }) : withoutTool(view, callId),
    output: [{ sessionUpdate: 'tool_call_update', toolCallId: tool.id, ...fields }],
  };
};

/** A terminal stays what a call shows. */
const endCommand = (view: TurnView, msg: Extract<EventMsg, { type: 'exec_command_end' }>): Shown => {
  const ended = ofCommandEnd(msg);
  const { content: _, ...others } = ended;
  return updateTool(view, msg.call_id, view.tools.get(msg.call_id)?.inTerminal ? others : ended);
};

/** The view of a call whose command runs in a terminal of the client. */
export const showTerminal = (view: TurnView, callId: string, terminalId: string): Shown => {
  const shown = updateTool(view, callId, { content: [{ type: 'terminal', terminalId }] });
  const tool = shown.state.tools.get(callId);
  if (tool === undefined) return shown;
  return { ...shown, state: withTool(shown.state, { ...tool, inTerminal: true }) };
};

/** The id of a call as the client knows it. */
export const toolIdOf = (view: TurnView, callId: string): string =>
  view.tools.get(callId)?.id ?? toId(callId, endedOf(view, callId));

/** How much of the output is shown while a command runs. */
const MAX_TAIL = 8_192;

const showOutput = (view: TurnView, callId: string, chunk: Uint8Array): Shown => {
  const tool = view.tools.get(callId);
  if (tool === undefined) return unchanged(view);
  const whole = Buffer.concat([tool.output ?? new Uint8Array(), chunk]);
  const output = tailOf(whole);
  const content = ofOutput(Buffer.from(output).toString('utf8'));
  return {
    state: withTool(view, { ...tool, output }),
    output: [{ sessionUpdate: 'tool_call_update', toolCallId: tool.id, content }],
  };
};

/** Begins with a line if it can: a secret whose beginning was cut off is not known as one by whoever records the session. */
const tailOf = (output: Uint8Array): Uint8Array => {
  if (output.length <= MAX_TAIL) return output;
  const tail = output.subarray(-MAX_TAIL);
  const line = tail.indexOf(0x0a) + 1;
  return line === tail.length ? tail : tail.subarray(line);
};

/** The view when a turn is over: no call is left open. */
export const endTurn = (view: TurnView): Shown =>
  [...view.tools.keys()].reduce<Shown>(
    ({ state, output }, callId) => {
      const ended = updateTool(state, callId, { status: 'failed' });
      return { state: ended.state, output: [...output, ...ended.output] };
    },
    { state: { ...view, open: {} }, output: [] },
  );
