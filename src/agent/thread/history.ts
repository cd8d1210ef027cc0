/** The conversation of a thread, as it is sent to the model. */

import type { TokenUsage } from '../../protocol/model/events';
import type { ResponseItem, ToolCallItem } from '../../protocol/model/items';

/** The output of a call; each call gets one. */
export type CallOutput = { call: ToolCallItem; text: string };

export type History = {
  /** Complete: every call in it has its output. */
  past: readonly ResponseItem[];
  /** Of the answer in progress. */
  items: readonly ResponseItem[];
  /** Of the answer in progress, as they came. A list, because copying a Map for each of a thousand calls takes most of their time. */
  outputs: readonly CallOutput[];
  /** What the thread has cost so far. */
  usage?: TokenUsage;
};

/** The history of a new thread. */
export const noHistory: History = { past: [], items: [], outputs: [] };

/** A part of an answer that is kept: an item of the model, or the output of a call. */
export type HistoryStep = { kind: 'item'; item: ResponseItem } | ({ kind: 'output' } & CallOutput);

/** The history after a step. */
export const addStep = (history: History, step: HistoryStep): History =>
  step.kind === 'item'
    ? { ...history, items: [...history.items, step.item] }
    : { ...history, outputs: [...history.outputs, { call: step.call, text: step.text }] };

/**
 * Closes the answer in progress and adds the messages that follow it.
 * The model's items come first, then the outputs of its calls in the order of the calls, however fast each was.
 * A call that was stopped gets the output `aborted`; reasoning with nothing after it is left out, because providers refuse it.
 * Source: Codex 0.28.0, CORE 5.4; there such outputs stood at the very start, with a wrong type.
 */
export const closeAnswer = ({ past, items, outputs, usage }: History, ...added: ResponseItem[]): History => {
  const kept = items.slice(0, items.findLastIndex(({ type }) => type !== 'reasoning') + 1);
  const texts = new Map(outputs.map(({ call, text }) => [call, text]));
  const answered = kept.filter(isCall).map((call) => toOutput(call, texts.get(call) ?? 'aborted'));
  return { ...noHistory, ...(usage && { usage }), past: [...past, ...kept, ...answered, ...added] };
};

/** True for a call of a tool, in any form. */
export const isCall = (item: ResponseItem): item is ToolCallItem =>
  item.type === 'function_call' || item.type === 'custom_tool_call' || item.type === 'local_shell_call';

/** The output of a call as an item. */
export const toOutput = ({ type, call_id }: ToolCallItem, output: string): ResponseItem => ({
  type: type === 'custom_tool_call' ? 'custom_tool_call_output' : 'function_call_output',
  call_id,
  output,
});
