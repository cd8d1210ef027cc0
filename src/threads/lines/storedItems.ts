/** Reads the conversation of a rollout for the model, repaired so that a model provider accepts it. */
import { isObject, type JsonObject, textOf, wordOf } from '../../protocol/jsonrpc/json';
import type { ContentPart, ResponseItem } from '../../protocol/model/items';
import { MAX_OUTPUT_BYTES, shorten } from '../../protocol/model/shorten';
import type { Pausing } from '../../streams/pausing';
import { isPrompt, stoppedNote, textsOf } from './prompts';
import { parseLine } from './readRolloutLine';
import { lastCount } from './tokenCount';

/** The items of a conversation, as far as its lines have been read. The list grows in place: a rollout may have tens of thousands of lines. */
export type ReadItems = {
  items: ResponseItem[];
  /** A turn has begun and not ended. */
  isRunning: boolean;
  /** The last count of the provider, and how many items it includes; undefined if the items before it were changed later. */
  counted?: { tokens: number; items: number };
};

/** Adds a line. A compaction replaces the items before it. Turns that were rolled back are left out. */
export const addLine = ({ items, isRunning, counted }: ReadItems, line: JsonObject): ReadItems => {
  const { type, payload } = line;
  if (!isObject(payload) || type === 'response_item') {
    items.push(...itemsOf(isObject(payload) ? payload : line));
    return { items, isRunning, counted };
  }
  if (type === 'compacted') return { items: compacted(items, payload), isRunning };
  if (type !== 'event_msg') return { items, isRunning, counted };
  if (payload.type === 'thread_rolled_back') {
    return { items: withoutLast(items, Number(wordOf(payload.num_turns ?? 0))), isRunning };
  }
  if (isRunning && payload.type === 'task_started') items.push(CUT_OFF);
  const tokens = lastCount(line);
  return {
    items,
    isRunning: isBegunAfter(isRunning, payload.type),
    counted: tokens === undefined ? counted : { tokens, items: items.length },
  };
};

/** The last line that replaces all items before it, so that they need not be read. */
export const LAST_COMPACTION = {
  word: '"type":"compacted"',
  isIt: (text: string): boolean => parseLine(text).some(isCompaction),
};

const isCompaction = ({ type, payload }: JsonObject): boolean =>
  type === 'compacted' && isObject(payload) && Array.isArray(payload.replacement_history);

/** True for an item of the conversation, except in old rollouts. @param head the beginning of the line */
export const isItem = (head: string): boolean => ITEM.test(head);

const ITEM = /^\{(?:"\w+":(?:"[^"\\]*"|\d+),)*"type":"response_item"/;

/** The conversation, when all lines have been read. A turn without an end, as its program was killed, is closed by a note. */
export const toItems = ({ items, isRunning }: Pick<ReadItems, 'items' | 'isRunning'>): Pausing<ResponseItem[]> =>
  pairCalls(isRunning ? [...items, CUT_OFF] : items);

const CUT_OFF: ResponseItem = {
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: stoppedNote('its program ended') }],
};

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

type Output = Extract<ResponseItem, { output: string }>;
type Call = Exclude<Extract<ResponseItem, { call_id: string }>, Output>;

/** An answer of the model, or a message to it, and the outputs of its calls. Both grow in place: a thread may have tens of thousands of items. */
type Answer = { items: ResponseItem[]; outputs: Map<string, Output> };

/**
 * Each call has one output, after the calls of its answer; outputs of no call are left out, and so is reasoning that led to
 * nothing. A call whose process was killed has the output `aborted`. Pauses often.
 *   pairCalls([r, c1, c2, o2])  → [r, c1, c2, o1 aborted, o2]
 *   pairCalls([c1, o1, o9, r])  → [c1, o1]
 */
export function* pairCalls(items: readonly ResponseItem[]): Pausing<ResponseItem[]> {
  const paired: ResponseItem[] = [];
  let open: Answer = { items: [], outputs: new Map() };
  for (const [at, item] of items.entries()) {
    if (at % STEP === STEP - 1) yield;
    if (isOutput(item)) open.outputs.set(item.call_id, item);
    else if (isOver(open, item)) {
      paired.push(...closed(open));
      open = { items: [item], outputs: new Map() };
    } else open.items.push(item);
  }
  paired.push(...closed(open));
  return paired;
}

/** Items after which it pauses. */
const STEP = 5_000;

const closed = ({ items, outputs }: Answer): ResponseItem[] => {
  const kept = items.slice(0, items.findLastIndex(({ type }) => type !== 'reasoning') + 1);
  return [...kept, ...kept.filter(isCall).map((call) => outputs.get(call.call_id) ?? aborted(call))];
};

/** Messages of the user stand alone; an answer ends when all its calls have their outputs and something else follows. */
const isOver = ({ items, outputs }: Answer, next: ResponseItem): boolean =>
  items.length === 0 ||
  isInput(next) ||
  isInput(items.at(-1)) ||
  (outputs.size > 0 && items.filter(isCall).every(({ call_id }) => outputs.has(call_id)));

const isOutput = (item: ResponseItem): item is Output => 'output' in item;

const isCall = (item: ResponseItem): item is Call => 'call_id' in item && !isOutput(item);

const isInput = (item: ResponseItem | undefined): boolean => item?.type === 'message' && item.role !== 'assistant';

const aborted = ({ type, call_id }: Call): Output => ({
  type: type === 'custom_tool_call' ? 'custom_tool_call_output' : 'function_call_output',
  call_id,
  output: 'aborted',
});

/**
 * The item, with the members that a model provider takes; undefined for an item of another kind, such as a picture that the model made.
 * Source: rollouts of codex 0.28.0, 0.142.0 and 0.169.0.
 */
export const toItem = (item: JsonObject): ResponseItem | undefined => {
  switch (item.type) {
    case 'message':
      return toMessage(item);
    case 'reasoning':
      return toReasoning(item);
    case 'function_call':
      return {
        type: item.type,
        ...ownId(item),
        ...nameOf(item),
        arguments: textOf(item.arguments),
        call_id: idOf(item),
        ...(isObject(item.extra_content) && { extra_content: item.extra_content }),
      };
    case 'custom_tool_call':
      return { type: item.type, ...ownId(item), ...nameOf(item), input: textOf(item.input), call_id: idOf(item) };
    case 'local_shell_call':
      return { type: 'function_call', name: 'shell', arguments: actionOf(item.action), call_id: idOf(item) };
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { type: item.type, call_id: idOf(item), output: shortOutput(outputOf(item.output)), ...imagesOf(item) };
    default:
      return toProviderItem(item);
  }
};

const toMessage = ({ role, content, phase, ...item }: JsonObject): ResponseItem => ({
  type: 'message',
  ...ownId(item),
  role: textOf(role),
  content: partsOf(content),
  ...(typeof phase === 'string' && { phase }),
});

const toProviderItem = ({ type, encrypted_content, status, action }: JsonObject): ResponseItem | undefined => {
  switch (type) {
    case 'compaction':
    case 'compaction_summary':
    case 'context_compaction':
      return typeof encrypted_content === 'string' ? { type, encrypted_content } : undefined;
    case 'web_search_call':
      return { type, ...(typeof status === 'string' && { status }), ...(isObject(action) && { action }) };
    default:
      return undefined;
  }
};

const nameOf = ({ name }: JsonObject): { name: string } => ({ name: textOf(name) });

const ownId = ({ id }: JsonObject): { id?: string } => (typeof id === 'string' ? { id } : {});

const idOf = ({ call_id, id }: JsonObject): string => textOf(call_id) || textOf(id);

/** Parts of other kinds, such as audio, are left out. */
const partsOf = (content: unknown): ContentPart[] =>
  Array.isArray(content) ? content.flatMap((part) => (isObject(part) ? toPart(part) : [])) : [];

const toPart = ({ type, text, image_url }: JsonObject): ContentPart[] => {
  if (type === 'input_image') return typeof image_url === 'string' ? [{ type, image_url }] : [];
  if (typeof text !== 'string') return [];
  return [{ type: type === 'output_text' ? 'output_text' : 'input_text', text }];
};

const toReasoning = ({ id, summary, content, encrypted_content, extra_content }: JsonObject): ResponseItem => ({
  type: 'reasoning',
  id: textOf(id),
  summary: textsOf(summary).map((text) => ({ type: 'summary_text', text })),
  ...(Array.isArray(content) && { content: textsOf(content).map((text) => ({ type: 'reasoning_text', text })) }),
  ...(typeof encrypted_content === 'string' && { encrypted_content }),
  ...(isObject(extra_content) && { extra_content }),
});

const actionOf = (action: unknown): string => JSON.stringify({ command: isObject(action) ? action.command : [] });

/** The pictures of an output: among its parts, or as this program keeps them. */
const imagesOf = ({ output, images }: JsonObject): { images?: string[] } => {
  const parts = Array.isArray(output) ? partsOf(output) : [];
  const found = [
    ...parts.flatMap((part) => (part.type === 'input_image' ? [part.image_url] : [])),
    ...(Array.isArray(images) ? images.filter((image) => typeof image === 'string') : []),
  ];
  return found.length === 0 ? {} : { images: found };
};

/** An output that this program wrote is not longer; Codex stores whole outputs, and shortens what it sends. Source: process_item of codex-rs/core. */
const LONGEST = 4 * MAX_OUTPUT_BYTES;

const shortOutput = (output: string): string => (output.length > LONGEST ? shorten(output) : output);

/** Newer releases keep outputs with pictures as a list of parts. */
const outputOf = (output: unknown): string => {
  if (typeof output === 'string') return output;
  if (Array.isArray(output)) return textsOf(output).join('');
  return isObject(output) && typeof output.content === 'string' ? output.content : JSON.stringify(output ?? '');
};
