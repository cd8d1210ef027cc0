/** The beginning of an item: when it is emitted, and as what. */
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import { changesOf, commandOf, invocationOf, parsedOf } from '../items/items';
import { entryOf, type Item, ItemParams, read } from '../shapes';
import { type ReducedTurn, type ReduceParams, type TurnState, withEntry } from './turnState';

/**
 * `item/started`. An item that may still need approval has its beginning emitted once it really begins: this applies to a command that
 * is not running yet, and to every patch.
 */
export const startItem: ReduceParams = (state, params) => {
  const { item } = read(ItemParams, params);
  const started = { ...state, items: withEntry(withRoom(state.items), item.id, { item, isAnnounced: false }) };
  return mayWait(item) ? { state: started, output: [] } : announceItem(started, item.id);
};

/** No turn has this many open; each change copies all of them, and a server that kept opening more would hold up everything else. */
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
  const toMsg = entryOf(BEGINNINGS, item.type);
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
  webSearch: (call_id) => ({ type: 'web_search_begin', call_id }),
};
