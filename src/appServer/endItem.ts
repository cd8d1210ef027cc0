/** Owns how the end of an item is told; whatever was told to begin also ends. */
import type { EventMsg } from '../protocol/codex';
import type { JsonObject } from '../protocol/jsonrpc';
import { begun } from './beginItem';
import type { Heard, ToMsgs } from './heard';
import { changesOf, durationOf, invocationOf, summaryOf } from './items';
import { entryOf, objectOf, textOf, textsOf } from './wire';

/** An item that ends; one that was declined before its beginning was told never was. */
export const endItem: ToMsgs = (heard, params) => {
  const item = objectOf(params.item);
  const id = textOf(item.id);
  const neverWas = item.status === 'declined' && heard.held.has(id);
  const msgs = neverWas ? [] : [...begun(heard, id), ...endOf(heard, item)];
  heard.open.delete(id);
  return msgs;
};

/** Ends what was left open when the turn ended. */
export const closeOpen = (heard: Heard): EventMsg[] => {
  const left = [...heard.open].filter(([id, { type }]) => !heard.held.has(id) && !SAID.has(type));
  heard.open.clear();
  return left.flatMap(([, item]) => endOf(heard, item.type === 'mcpToolCall' ? { ...item, error: CUT } : item));
};

/** Of these nothing was told that would have to end. */
const SAID: ReadonlySet<unknown> = new Set(['agentMessage', 'reasoning']);
const CUT = { message: 'the turn ended before the call did' };

const endOf = (heard: Heard, item: JsonObject): EventMsg[] =>
  entryOf(ENDS, textOf(item.type))?.(item, textOf(item.id), heard) ?? [];

type End = (item: JsonObject, call_id: string, heard: Heard) => EventMsg[];

const message: End = (item, _, heard) => {
  heard.said = textOf(item.text);
  return [{ type: 'agent_message', message: heard.said }];
};

const reasoning: End = ({ summary, content }) => [
  ...textsOf(summary).map((text) => ({ type: 'agent_reasoning' as const, text })),
  ...textsOf(content).map((text) => ({ type: 'agent_reasoning_raw_content' as const, text })),
];

/** Source: codex app-server 0.142.0 to 0.169.0: both outputs come as one, and no exit code where it was stopped. */
const command: End = (item, call_id) => {
  const output = textOf(item.aggregatedOutput);
  const end = { stdout: output, stderr: '', aggregated_output: output, formatted_output: output };
  const exit_code = typeof item.exitCode === 'number' ? item.exitCode : -1;
  return [{ type: 'exec_command_end', call_id, ...end, exit_code, duration: durationOf(item) }];
};

const patch: End = (item, call_id) => {
  const success = item.status === 'completed';
  const stderr = success ? '' : `The patch was not applied (${textOf(item.status)}).`;
  return [{ type: 'patch_apply_end', call_id, stdout: success ? summaryOf(changesOf(item)) : '', stderr, success }];
};

const toolCall: End = (item, call_id) => {
  const result = item.error ? { Err: textOf(objectOf(item.error).message) } : { Ok: item.result ?? null };
  const invocation = invocationOf(item);
  return [{ type: 'mcp_tool_call_end', call_id, invocation, duration: durationOf(item), result }];
};

const ENDS: Record<string, End> = {
  agentMessage: message,
  reasoning,
  commandExecution: command,
  fileChange: patch,
  mcpToolCall: toolCall,
  webSearch: (item, call_id) => [{ type: 'web_search_end', call_id, query: textOf(item.query) }],
  contextCompaction: () => [{ type: 'context_compacted' }],
};
