/** Reads the conversation of a rollout for the model, repaired so that a model provider accepts it. */
import { isObject, type JsonObject, wordOf } from '../../protocol/jsonrpc/json';
import type { ResponseItem } from '../../protocol/model/items';
import type { Pausing } from '../../streams/pausing';
import { isPrompt, stoppedNote, textsOf } from './prompts';
import { parseLine } from './readRolloutLine';
import { toItem } from './storedItem';
import { lastCount } from './tokenCount';

/** The items of a conversation, as far as its lines have been read. The lists grow in place: a rollout may have tens of thousands of lines. */
export type ReadItems = {
  items: ResponseItem[];
  /** What there was before each prompt: so many of these items. A compaction may follow, which is undone when the turn is rolled back. */
  turns: { items: ResponseItem[]; count: number }[];
  /** A turn was rolled back after the last compaction, which may be of that turn. */
  isRolledBack?: true;
  /** A turn has begun and not ended. */
  isRunning: boolean;
  /** The last count of the provider, and how many items it includes; undefined if the items before it were changed later. */
  counted?: { tokens: number; items: number };
};

/** Nothing of a conversation. */
export const noItems = (): ReadItems => ({ items: [], turns: [], isRunning: false });

/** Adds a line. A compaction replaces the items before it. Turns that were rolled back are left out, and their compactions with them. */
export const addLine = (read: ReadItems, line: JsonObject): ReadItems => {
  const { items, turns, isRunning } = read;
  const { type, payload } = line;
  if (!isObject(payload) || type === 'response_item') {
    addItem(read, isObject(payload) ? payload : line);
    return read;
  }
  if (type === 'compacted') {
    const isUndone = read.isRolledBack && !isCompaction(line); // it is made of the items before
    return { items: compacted(items, payload), turns, isRunning, ...(isUndone && { isRolledBack: true }) };
  }
  if (type !== 'event_msg') return read;
  if (payload.type === 'thread_rolled_back') return rolledBack(read, Number(wordOf(payload.num_turns ?? 0)));
  if (isRunning && payload.type === 'task_started') items.push(CUT_OFF);
  const tokens = lastCount(line);
  return {
    ...read,
    isRunning: isBegunAfter(isRunning, payload.type),
    ...(tokens !== undefined && { counted: { tokens, items: items.length } }),
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

const addItem = ({ items, turns }: ReadItems, line: JsonObject): void => {
  for (const item of itemsOf(line)) {
    if (isPrompt(item)) turns.push({ items, count: items.length });
    items.push(item);
  }
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
  return [
    ...context,
    ...lastPrompts(items),
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: summary }] },
  ];
};

/** Releases that kept no replacement kept what the user wrote, up to this length. Source: build_compacted_history of codex-rs/core, 20,000 tokens. */
const PROMPT_CHARS = 80_000;

const lastPrompts = (items: readonly ResponseItem[]): ResponseItem[] => {
  const prompts = items.filter(isPrompt);
  let chars = 0;
  const from = prompts.findLastIndex(({ content }) => {
    chars += textsOf(content).reduce((sum, { length }) => sum + length, 0);
    return chars > PROMPT_CHARS;
  });
  return prompts.slice(from + 1);
};

/** The conversation before its last turns; a turn begins with a prompt. Source: reconstruct_history_from_rollout of codex-rs/core. */
const rolledBack = (read: ReadItems, num: number): ReadItems => {
  if (!(num > 0)) return read;
  const { items, turns, isRunning } = read;
  const [first] = turns.splice(Math.max(0, turns.length - num));
  return { items: first ? first.items.slice(0, first.count) : items, turns, isRunning, isRolledBack: true };
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
