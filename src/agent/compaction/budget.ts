/** How much of a conversation is sent to a model. */
import type { ResponseItem } from '../../protocol/model/items';
import type { Config } from '../../settings/config';

export type Budget = {
  /** A longer conversation is shortened before it is sent, if its length is estimated. */
  limitTokens: number;
  /** The same, if the provider has counted it. */
  countedTokens: number;
  /** What the last turns may take after a summary. */
  keepTokens: number;
};

/** The context window, in tokens, of an unknown model: most models in use have no smaller one. */
const DEFAULT_WINDOW = 128_000;

/** The rest of the window is for the instructions, the tools and the answer, and for what the estimate misses. */
const SHARE = 0.8;
/** The provider counts all that it was sent. Source: Codex 0.171.0 */
const COUNTED_SHARE = 0.9;
const KEPT_SHARE = 0.1;

/** The budget of a model, by its context window and the limit that the configuration sets. */
export const budgetOf = ({
  contextWindow,
  autoCompactTokenLimit,
}: Pick<Config, 'contextWindow' | 'autoCompactTokenLimit'>): Budget => {
  const window = contextWindow ?? DEFAULT_WINDOW;
  const limited = (share: number) =>
    Math.floor(Math.min(autoCompactTokenLimit ?? Number.POSITIVE_INFINITY, window * share));
  return {
    limitTokens: limited(SHARE),
    countedTokens: limited(COUNTED_SHARE),
    keepTokens: Math.floor(window * KEPT_SHARE),
  };
};

/** English text and code have about four bytes per token. */
const BYTES_PER_TOKEN = 4;

/** The approximate length in bytes of a text of this many tokens. */
export const bytesIn = (tokens: number): number => tokens * BYTES_PER_TOKEN;

/** An image is not counted by its bytes. Source: OpenAI API, a large image in high detail. */
const IMAGE_TOKENS = 1_500;

/** About how many tokens items take. */
export const tokensOf = (items: readonly ResponseItem[]): number => sumOf(items, Buffer.byteLength);

/**
 * True if items take more tokens than `maxTokens`. A text has at least a byte for each UTF-16 unit, and at most three: texts are measured only if their
 * lengths leave it open, so that a conversation that is far too long, or far from it, costs nothing.
 */
export const takeMoreThan = (items: readonly ResponseItem[], maxTokens: number): boolean => {
  let least = 0;
  for (const item of items) {
    least += tokensOfItem(item, lengthOf);
    if (least > maxTokens) return true; // the rest of a long conversation is not looked at
  }
  return least * 3 > maxTokens && tokensOf(items) > maxTokens;
};

const lengthOf: Measure = ({ length }) => length;

/** How many bytes a text has. */
type Measure = (text: string) => number;

const sumOf = (items: readonly ResponseItem[], measure: Measure): number =>
  items.reduce((sum, item) => sum + tokensOfItem(item, measure), 0);

const tokensOfItem = (item: ResponseItem, measure: Measure): number => {
  const tokensOfText = (text: string): number => Math.ceil(measure(text) / BYTES_PER_TOKEN);
  switch (item.type) {
    case 'message':
      return item.content.reduce((sum, part) => sum + ('text' in part ? tokensOfText(part.text) : IMAGE_TOKENS), 4);
    case 'function_call':
      return tokensOfText(item.name + item.arguments);
    case 'custom_tool_call':
      return tokensOfText(item.name + item.input);
    case 'local_shell_call':
      return tokensOfText(JSON.stringify(item.action));
    case 'reasoning':
      return (
        tokensOfText(JSON.stringify([item.summary, item.content ?? '', item.extra_content ?? ''])) + hiddenTokens(item)
      );
    case 'function_call_output':
    case 'custom_tool_call_output':
      return tokensOfText(item.output) + (item.images?.length ?? 0) * IMAGE_TOKENS;
    default:
      return HIDDEN_TOKENS;
  }
};

/** What is encrypted is not counted by its length: that says little of what it takes. A guess: the mean of a few hundred reasoning items. */
const HIDDEN_TOKENS = 500;

const hiddenTokens = ({ encrypted_content }: ResponseItem & { type: 'reasoning' }): number =>
  encrypted_content ? HIDDEN_TOKENS : 0;
