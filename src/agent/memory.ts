/**
 * Owns what a thread remembers of its conversation. It changes in place, so that a long turn does not copy it for every
 * word: one thread has one memory, its turns follow each other, and what leaves is a copy.
 */
import type { FunctionCall, ResponseItem } from '../protocol';
import type { Step } from './step';

/** `past` is whole: every call in it has its output. `items` and `outputs` are of the answer that is under way. */
export type Memory = { past: ResponseItem[]; items: ResponseItem[]; outputs: Map<FunctionCall, string> };

/** The memory of a new thread. */
export const noMemory = (): Memory => ({ past: [], items: [], outputs: new Map() });

/** Keeps what is worth it; all else is passed over. */
export const remember = ({ items, outputs }: Memory, step: Step): void => {
  if (step.kind === 'item') items.push(step.item);
  if (step.kind === 'output') outputs.set(step.call, step.text);
};

/**
 * Closes the answer that is under way and adds what was said to the model since; gives back the whole conversation.
 * The model's items come first, then the outputs of its calls in the order of the calls, however fast each was.
 * A call that was stopped has the output `aborted`; reasoning that led to nothing is left out, for providers refuse it.
 * Source: Codex 0.28.0, CORE 5.4; there such outputs stood at the very start, under a wrong type.
 */
export const settle = (memory: Memory, ...said: ResponseItem[]): ResponseItem[] => {
  const { past, items, outputs } = memory;
  const kept = items.slice(0, items.findLastIndex(({ type }) => type !== 'reasoning') + 1);
  past.push(...kept, ...kept.filter(isCall).map((call) => toOutput(call, outputs.get(call) ?? 'aborted')), ...said);
  memory.items = [];
  memory.outputs = new Map();
  return [...past];
};

const isCall = (item: ResponseItem): item is FunctionCall => item.type === 'function_call';

const toOutput = ({ call_id }: FunctionCall, output: string): ResponseItem => ({
  type: 'function_call_output',
  call_id,
  output,
});
