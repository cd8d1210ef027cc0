/** Owns how the pieces of an item that is still being made are told. */
import type { JsonObject } from '../protocol/jsonrpc';
import { begun } from './beginItem';
import type { ToMsgs } from './heard';
import { textOf } from './wire';

const pieceOf = ({ delta, itemId }: JsonObject) => ({ delta: textOf(delta), item_id: textOf(itemId) });

/** A command that says something runs. */
const output: ToMsgs = (heard, { delta, itemId }) => {
  const call_id = textOf(itemId);
  const chunk = Buffer.from(textOf(delta));
  return [...begun(heard, call_id), { type: 'exec_command_output_delta', call_id, stream: 'stdout', chunk }];
};

export const DELTAS: Record<string, ToMsgs> = {
  'item/agentMessage/delta': (_, params) => [{ type: 'agent_message_delta', ...pieceOf(params) }],
  'item/reasoning/summaryTextDelta': (_, params) => [{ type: 'agent_reasoning_delta', ...pieceOf(params) }],
  'item/reasoning/textDelta': (_, params) => [{ type: 'agent_reasoning_raw_content_delta', ...pieceOf(params) }],
  'item/reasoning/summaryPartAdded': (_, { itemId }) => [
    { type: 'agent_reasoning_section_break', item_id: textOf(itemId) },
  ],
  'item/commandExecution/outputDelta': output,
};
