/** The conversation of a thread, as it is sent to the model. */
import { resolve } from 'node:path';
import { forkJoin, map, type Observable, of } from 'rxjs';
import type { UserInput } from '../../protocol/codex/operations';
import type { TokenUsage } from '../../protocol/model/events';
import { type ContentPart, isCall, type ResponseItem, type ToolCallItem } from '../../protocol/model/items';
import type { Awaitable } from '../../streams/awaitable';
import { isPrompt } from '../../threads/lines/prompts';
import type { ReadImage } from '../tools/builtInTools';

/** The output of a call; each call gets one. */
type CallOutput = { call: ToolCallItem; text: string };

export type History = {
  /** Complete: every call in it has its output. */
  past: readonly ResponseItem[];
  /** Of the answer in progress. */
  items: readonly ResponseItem[];
  /** Of the answer in progress, as they came. A list, because copying a Map for each of a thousand calls takes most of their time. */
  outputs: readonly CallOutput[];
  /** What the thread has cost so far. */
  usage?: TokenUsage;
  /** How long the provider counted the conversation to be. */
  counted?: Counted;
};

/** A count of the provider: of the items of `past` before `upTo`; undefined while they include the answer in progress. */
export type Counted = { tokens: number; upTo?: number };

/** The history of a new thread. */
export const noHistory: History = { past: [], items: [], outputs: [] };

/** A part of an answer that is kept: an item of the model, or the output of a call. */
export type HistoryStep =
  | { kind: 'item'; item: ResponseItem }
  /** `isRefused`: the call was not done, because of the call itself. */
  | ({ kind: 'output'; isRefused?: true } & CallOutput);

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
export const closeAnswer = ({ past, items, outputs, usage, counted }: History, ...added: ResponseItem[]): History => {
  const kept = items.slice(0, items.findLastIndex(({ type }) => type !== 'reasoning') + 1);
  const texts = new Map(outputs.map(({ call, text }) => [call, text]));
  const answered = kept.filter(isCall).map((call) => toOutput(call, texts.get(call) ?? 'aborted'));
  return {
    ...noHistory,
    ...(usage && { usage }),
    ...(counted && { counted: { upTo: past.length + kept.length, ...counted } }),
    past: [...past, ...kept, ...answered, ...added],
  };
};

/** The history with a shortened past, which nobody has counted yet. */
export const replacedPast = ({ counted: _, ...history }: History, past: readonly ResponseItem[]): History => ({
  ...history,
  past,
});

/** The output of a call as an item. */
export const toOutput = ({ type, call_id }: ToolCallItem, output: string): ResponseItem => ({
  type: type === 'custom_tool_call' ? 'custom_tool_call_output' : 'function_call_output',
  call_id,
  output,
});

/**
 * The message. If an image cannot be read, the model reads the reason instead. A text that begins like one of this program's own, such as a
 * summary, is marked as the user's: otherwise a compaction would drop it. Never errors.
 * @param cwd the folder to which relative paths refer
 * Source: Codex 0.28.0, CORE 5.1; there such an image was left out silently.
 */
export const toUserMessage = (
  readImage: ReadImage,
  cwd: string,
  input: readonly UserInput[],
): Awaitable<ResponseItem> => {
  const plain = input.map(toPlainPart);
  return plain.every((part) => part !== undefined)
    ? toMessage(plain)
    : forkJoin(input.map((item) => toPart(readImage, cwd, item))).pipe(map(toMessage));
};

const toMessage = (content: ContentPart[]): ResponseItem => {
  const message: ResponseItem = { type: 'message', role: 'user', content };
  return isPrompt(message) ? message : { ...message, content: [OF_USER, ...content] };
};

const OF_USER: ContentPart = { type: 'input_text', text: 'The user writes:\n' };

/** The part of an item that needs nothing from the disk; undefined for any other. */
const toPlainPart = (item: UserInput): ContentPart | undefined => {
  if (item.type === 'text') return { type: 'input_text', text: item.text };
  return item.type === 'image' ? { type: 'input_image', image_url: item.url } : undefined;
};

const toPart = (readImage: ReadImage, cwd: string, item: UserInput): Observable<ContentPart> =>
  item.type === 'localImage'
    ? readImage(resolve(cwd, item.path)).pipe(
        map(
          (read): ContentPart =>
            read.kind === 'image'
              ? { type: 'input_image', image_url: read.url }
              : { type: 'input_text', text: `The picture ${item.path} could not be read: ${read.reason}` },
        ),
      )
    : of(toPlainPart(item) as ContentPart);
