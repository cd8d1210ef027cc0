/** Repairs a stored conversation so that a model provider accepts it. */
import type { ResponseItem } from '../../protocol/model/items';

type Output = Extract<ResponseItem, { output: string }>;
type Call = Exclude<Extract<ResponseItem, { call_id: string }>, Output>;

/** An answer of the model, or a message to it, and the outputs of its calls. */
type Answer = { items: ResponseItem[]; outputs: Map<string, Output> };

/**
 * Each call has one output, after the calls of its answer; outputs of no call are left out, and so is reasoning that led to
 * nothing. A call whose process was killed has the output `aborted`.
 *   pairCalls([r, c1, c2, o2])  → [r, c1, c2, o1 aborted, o2]
 *   pairCalls([c1, o1, o9, r])  → [c1, o1]
 */
export const pairCalls = (items: readonly ResponseItem[]): ResponseItem[] =>
  answersOf(items).flatMap(({ items, outputs }) => {
    const kept = items.slice(0, items.findLastIndex(({ type }) => type !== 'reasoning') + 1);
    return [...kept, ...kept.filter(isCall).map((call) => outputs.get(call.call_id) ?? aborted(call))];
  });

/** Messages of the user stand alone; an answer ends where all its calls have their outputs and something else follows. */
const answersOf = (items: readonly ResponseItem[]): Answer[] => {
  const answers: Answer[] = []; // grows in place: a thread may have tens of thousands of items
  for (const item of items) {
    const last = answers.at(-1);
    if (isOutput(item)) last?.outputs.set(item.call_id, item);
    else if (last === undefined || isInput(item) || isInput(last.items.at(-1)) || isAnswered(last)) {
      answers.push({ items: [item], outputs: new Map() });
    } else last.items.push(item);
  }
  return answers;
};

const isAnswered = ({ items, outputs }: Answer): boolean =>
  outputs.size > 0 && items.filter(isCall).every(({ call_id }) => outputs.has(call_id));

const isOutput = (item: ResponseItem): item is Output => 'output' in item;

const isCall = (item: ResponseItem): item is Call => 'call_id' in item && !isOutput(item);

const isInput = (item: ResponseItem | undefined): boolean => item?.type === 'message' && item.role !== 'assistant';

const aborted = ({ type, call_id }: Call): Output => ({
  type: type === 'custom_tool_call' ? 'custom_tool_call_output' : 'function_call_output',
  call_id,
  output: 'aborted',
});
