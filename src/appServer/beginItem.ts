/** Owns when the beginning of an item is told, and how. */
import type { EventMsg } from '../protocol/codex';
import type { JsonObject } from '../protocol/jsonrpc';
import type { Heard, ToMsgs } from './heard';
import { changesOf, commandOf, invocationOf, parsedOf } from './items';
import { entryOf, objectOf, textOf } from './wire';

/**
 * An item that begins. What may still have to be approved is held back until it really begins: a command that is not
 * running yet, and every patch.
 */
export const beginItem: ToMsgs = (heard, params) => {
  const item = objectOf(params.item);
  const id = textOf(item.id);
  heard.open.set(id, item);
  heard.held.add(id);
  return mayWait(item) ? [] : begun(heard, id);
};

const mayWait = ({ type, source }: JsonObject): boolean =>
  type === 'fileChange' || (type === 'commandExecution' && source === 'agent');

/** The beginning of an item that was held back until now; nothing where it was told, or never came. */
export const begun = (heard: Heard, call_id: string): EventMsg[] => {
  const item = heard.open.get(call_id);
  if (item === undefined || !heard.held.delete(call_id)) return [];
  const toMsg = entryOf(BEGINNINGS, textOf(item.type));
  return toMsg === undefined ? [] : [toMsg(call_id, item, heard)];
};

/** By type of item. Messages and reasoning are told by their deltas and their ends. */
const BEGINNINGS: Record<string, (call_id: string, item: JsonObject, heard: Heard) => EventMsg> = {
  commandExecution: (call_id, item) => ({
    type: 'exec_command_begin',
    call_id,
    command: commandOf(item),
    cwd: textOf(item.cwd),
    parsed_cmd: parsedOf(item),
  }),
  fileChange: (call_id, item, { asked }) => ({
    type: 'patch_apply_begin',
    call_id,
    auto_approved: !asked.has(call_id),
    changes: changesOf(item),
  }),
  mcpToolCall: (call_id, item) => ({ type: 'mcp_tool_call_begin', call_id, invocation: invocationOf(item) }),
  webSearch: (call_id) => ({ type: 'web_search_begin', call_id }),
};
