/** The file format of a scripted model (docs/scripted-models.md), and the step of a script that answers a conversation. */
import { parseObject } from '../../../protocol/jsonrpc/json';
import type { ResponseItem } from '../../../protocol/model/items';
import type { ModelRequest } from '../../../protocol/model/request';
import type { Script, ScriptStep } from './scriptSchema';

export type PlaybackStep = {
  /** Of the step in the script: `scenes[0].answers[1]` or `otherwise`. */
  place: string;
  step: ScriptStep;
  /** Fills `{{prompt}}` in its texts. */
  prompt: string;
  /** Fills `{{output}}` in its texts. */
  output: string;
  /** How many items the model has made before; numbers the next ones. */
  made: number;
};

const NO_ANSWER: ScriptStep = { items: [{ text: 'The script has no answer for this.' }] };

/**
 * Finds the step that answers a conversation: in the first scene whose `when` matches the last user message,
 * the answer with the number of the rounds of tool calls since then; otherwise `otherwise`. It reads nothing else, so threads cannot disturb each other.
 */
export const findStep = (
  { scenes = [], otherwise = NO_ANSWER }: Script,
  { input }: Pick<ModelRequest, 'input'>,
): PlaybackStep => {
  const at = input.findLastIndex((item) => item.type === 'message' && item.role === 'user');
  const prompt = toText(input[at]);
  const round = countRounds(input.slice(at + 1));
  const scene = scenes.findIndex(({ when }) => new RegExp(when).test(prompt));
  const step = scenes[scene]?.answers[round];
  return {
    place: step ? `scenes[${scene}].answers[${round}]` : 'otherwise',
    step: step ?? otherwise,
    prompt,
    output: toOutput(input.findLast(isOutput)?.output ?? ''),
    made: input.filter(isFromModel).length,
  };
};

const toText = (item: ResponseItem | undefined): string =>
  item?.type === 'message' ? item.content.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n') : '';

/** Consecutive outputs answer calls made together. */
const countRounds = (items: ResponseItem[]): number =>
  items.filter((item, at) => isOutput(item) && !isOutput(items[at - 1])).length;

type Output = Extract<ResponseItem, { output: string }>;

const isOutput = (item: ResponseItem | undefined): item is Output =>
  item?.type === 'function_call_output' || item?.type === 'custom_tool_call_output';

const isFromModel = (item: ResponseItem): boolean =>
  ['reasoning', 'function_call', 'custom_tool_call'].includes(item.type) ||
  (item.type === 'message' && item.role === 'assistant');

/** The shell tool's output is JSON with the text inside. */
const toOutput = (output: string): string => {
  if (!output.startsWith('{')) return output;
  const text = parseObject(output)?.output;
  return typeof text === 'string' ? text : output;
};
