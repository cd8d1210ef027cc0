/** A stored thread as texts that people and models read: the whole conversation as Markdown, the last answer, the patches. */
import { parseObject, wordOf } from '../protocol/jsonrpc/json';
import { isCall, type ResponseItem, type ToolCallItem, toolOf } from '../protocol/model/items';
import type { Pausing } from '../streams/pausing';
import { clip } from '../streams/text/trim';
import { isPrompt, textsOf } from './lines/prompts';
import type { StoredThread } from './lines/storedThread';

/** The texts of a thread; '' if there is nothing of a kind. */
export type ThreadTexts = {
  /** Markdown. */
  transcript: string;
  /** The last message of the agent. */
  answer: string;
  /** The patches that the agent asked for, one after the other. */
  diff: string;
};

/** Longer outputs are cut. */
const MAX_OUTPUT_CHARS = 4_000;

/** Makes the texts of a thread; pauses after each item. */
export function* toThreadTexts({ id, items }: Pick<StoredThread, 'id' | 'items'>): Pausing<ThreadTexts> {
  const sections = [`# Thread ${id}`]; // grow in place, as a thread may have tens of thousands of items
  const answers: string[] = [];
  const patches: string[] = [];
  for (const item of items) {
    sections.push(...toSection(item));
    answers.push(...answerOf(item));
    patches.push(...patchOf(item));
    yield;
  }
  return { transcript: `${sections.join('\n\n')}\n`, answer: answers.at(-1) ?? '', diff: patches.join('\n') };
}

const toSection = (item: ResponseItem): string[] => {
  if (isPrompt(item)) return [`## User`, textsOf(item.content).join('\n')];
  if (item.type === 'message') return answerOf(item).flatMap((text) => ['## Agent', text]);
  if (isCall(item)) return [fenced(`${toolOf(item)} ${argumentsOf(item)}`)];
  return 'output' in item && typeof item.output === 'string' ? [fenced(outputOf(item.output))] : [];
};

const answerOf = (item: ResponseItem): string[] => {
  const text = item.type === 'message' && item.role === 'assistant' ? textsOf(item.content).join('\n') : '';
  return text === '' ? [] : [text];
};

const argumentsOf = (call: ToolCallItem): string => {
  if (call.type === 'function_call') return call.arguments;
  return call.type === 'custom_tool_call' ? call.input : JSON.stringify(call.action);
};

/** The output of a command is JSON with the text inside. */
const outputOf = (output: string): string => {
  const text = parseObject(output)?.output;
  return clip(typeof text === 'string' ? text : output, MAX_OUTPUT_CHARS);
};

/** A block that no line of the text ends. */
const fenced = (text: string): string => {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
};

const PATCH = /\*\*\* Begin Patch\n[\s\S]*?\*\*\* End Patch/;

/** A patch is the input of a free-form call, an argument, or a part of a script. */
const patchOf = (item: ResponseItem): string[] => {
  if (!isCall(item)) return [];
  const given = argumentsOf(item);
  const texts = [
    given,
    ...Object.values(parseObject(given) ?? {})
      .flat()
      .map(wordOf),
  ];
  const found = texts.map((text) => PATCH.exec(text)?.[0]).find((patch) => patch !== undefined);
  return found === undefined ? [] : [`${found}\n`];
};
