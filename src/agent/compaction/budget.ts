/** How much of a conversation is sent to a model. */

import type { ContentPart, ResponseItem } from '../../protocol/model/items';
import type { Config } from '../../settings/config';

export type Budget = {
  /** A longer conversation is shortened before it is sent. */
  limitTokens: number;
  /** What the last turns may take after a summary. */
  keepTokens: number;
};

/** The context window, in tokens, of an unknown model: most models in use have no smaller one. */
const DEFAULT_WINDOW = 128_000;

/** The rest of the window is for the instructions, the tools and the answer, and for what the estimate misses. */
const SHARE = 0.8;
const KEPT_SHARE = 0.1;

/** The budget of a model, by its context window and the limit that the configuration sets. */
export const budgetOf = ({
  contextWindow,
  autoCompactTokenLimit,
}: Pick<Config, 'contextWindow' | 'autoCompactTokenLimit'>): Budget => {
  const window = contextWindow ?? DEFAULT_WINDOW;
  return {
    limitTokens: Math.floor(Math.min(autoCompactTokenLimit ?? Number.POSITIVE_INFINITY, window * SHARE)),
    keepTokens: Math.floor(window * KEPT_SHARE),
  };
};

/** English text and code have about four bytes per token. */
const BYTES_PER_TOKEN = 4;

/** The approximate length in bytes of a text of this many tokens. */
export const bytesIn = (tokens: number): number => tokens * BYTES_PER_TOKEN;

/** An image is not counted by its bytes. Source: OpenAI API, a large image in high detail. */
const IMAGE_TOKENS = 1_500;

/** True if items take more than this many tokens. Most conversations are so short that their characters need not be examined. */
export const takesMore = (items: readonly ResponseItem[], tokens: number): boolean =>
  sumOf(items, atMostOfText) > tokens && tokensOf(items) > tokens;

/** About how many tokens items take. */
export const tokensOf = (items: readonly ResponseItem[]): number => sumOf(items, ofText);

type OfText = (text: string) => number;

const sumOf = (items: readonly ResponseItem[], ofText: OfText): number => {
  let sum = 0;
  for (const item of items) sum += tokensOfItem(item, ofText);
  return sum;
};

const ofText: OfText = (text) => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);

/** One UTF-16 unit is at most three bytes of UTF-8, so at most one token. */
const atMostOfText: OfText = (text) => text.length;

const tokensOfItem = (item: ResponseItem, ofText: OfText): number => {
  switch (item.type) {
    case 'message':
      return item.content.reduce((sum, part) => sum + ofPart(part, ofText), 4);
    case 'function_call':
      return ofText(item.name + item.arguments);
    case 'custom_tool_call':
      return ofText(item.name + item.input);
    case 'local_shell_call':
      return ofText(JSON.stringify(item.action));
    case 'reasoning':
      return ofText(JSON.stringify([item.summary, item.content ?? '', item.encrypted_content ?? '']));
    default:
      return ofText(item.output);
  }
};

const ofPart = (part: ContentPart, ofText: OfText): number =>
  part.type === 'input_image' ? IMAGE_TOKENS : ofText(part.text);
