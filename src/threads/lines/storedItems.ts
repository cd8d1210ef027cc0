/** Reads the conversation of a rollout, as the model is to read it again. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { ResponseItem } from '../../protocol/model/items';
import { stoppedNote } from './isContext';
import { isPrompt } from './isPrompt';
import { pairCalls } from './pairCalls';
import { toItem } from './toItem';

/**
 * The items of the conversation in their order; a compaction replaces those before it. Turns that were rolled back are
 * left out. A turn without an end, as its program was killed, is closed by a note. Source: rollouts of codex 0.28.0, 0.142.0 and 0.169.0.
 */
export const storedItems = (lines: readonly JsonObject[]): ResponseItem[] => {
  let items: ResponseItem[] = []; // grows in place: a rollout may have tens of thousands of lines
  let isRunning = false;
  for (const { type, payload, ...bare } of lines) {
    if (type === 'event_msg' && isObject(payload)) {
      if (isRunning && payload.type === 'task_started') items.push(CUT_OFF);
      isRunning = isBegunAfter(isRunning, payload.type);
    }
    if (!isObject(payload)) items.push(...itemsOf({ type, ...bare }));
    else if (type === 'response_item') items.push(...itemsOf(payload));
    else if (type === 'compacted') items = compacted(items, payload);
    else if (payload.type === 'thread_rolled_back') items = withoutLast(items, Number(payload.num_turns ?? 0));
  }
  return pairCalls(isRunning ? [...items, CUT_OFF] : items);
};

const CUT_OFF: ResponseItem = {
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: stoppedNote('its program ended') }],
};

/** Whether a turn runs after an event of this type. */
const isBegunAfter = (isRunning: boolean, type: unknown): boolean => {
  if (type === 'task_started') return true;
  return isRunning && type !== 'task_complete' && type !== 'turn_aborted';
};

const itemsOf = (item: JsonObject): ResponseItem[] => {
  const read = toItem(item);
  return read === undefined ? [] : [read];
};

const compacted = (
  items: ResponseItem[],
  { message, replacement_history: replacement }: JsonObject,
): ResponseItem[] => {
  if (Array.isArray(replacement)) return replacement.filter(isObject).flatMap(itemsOf);
  const context = items.filter((item) => item.type === 'message' && !isPrompt(item) && item.role !== 'assistant');
  const summary = typeof message === 'string' ? message : '';
  return [...context, { type: 'message', role: 'user', content: [{ type: 'input_text', text: summary }] }];
};

/** The items without the last `turns` turns; a turn begins with a prompt. */
const withoutLast = (items: ResponseItem[], turns: number): ResponseItem[] => {
  const starts = items.flatMap((item, at) => (isPrompt(item) ? [at] : []));
  const end = turns > 0 ? starts.at(-turns) : undefined;
  return turns > starts.length ? items.slice(0, starts[0]) : items.slice(0, end);
};
