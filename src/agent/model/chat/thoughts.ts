/** The thoughts in the chunks of a Chat Completions stream: to show, and to give back to the server with the calls to which they led. */
import { isObject, isText, type JsonObject, textOf } from '../../../protocol/jsonrpc/json';

/**
 * The thoughts of a chunk, to show. DeepSeek, vLLM and llama.cpp send `reasoning_content`, OpenRouter and Ollama `reasoning`, as text or in an object,
 * others `thinking`.
 */
export const thoughtOf = ({ reasoning_content, reasoning, thinking, reasoning_details: details }: JsonObject): string =>
  textOf(reasoning_content) ||
  (isObject(reasoning) ? textOf(reasoning.text) || textOf(reasoning.content) : textOf(reasoning)) ||
  textOf(thinking) ||
  listOf(details)
    .map(({ text, summary }) => textOf(text) || textOf(summary))
    .join('');

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Members with thoughts in blocks, which are signed: OpenRouter and LiteLLM want them back whole, as Anthropic does behind them. */
const BLOCKS = ['reasoning_details', 'thinking_blocks'];

/** The thoughts of a chunk by their members. Source: DeepSeek and Kimi refuse calls without their `reasoning_content`. */
export const keptOf = (piece: JsonObject, shown: string): JsonObject => {
  const name = shown === '' ? undefined : Object.keys(piece).find((one) => piece[one] === shown);
  const blocks = BLOCKS.filter((one) => Array.isArray(piece[one]) && piece[one].length > 0);
  return {
    ...(name !== undefined && { [name]: shown }),
    ...Object.fromEntries(blocks.map((one) => [one, piece[one]])),
  };
};

/** Thoughts with those of the next chunk. */
export const addThoughts = (thoughts: JsonObject, kept: JsonObject): JsonObject => {
  const names = Object.keys(kept);
  return names.length === 0
    ? thoughts
    : { ...thoughts, ...Object.fromEntries(names.map((name) => [name, joined(thoughts[name], kept[name])])) };
};

const joined = (known: unknown, next: unknown): unknown =>
  Array.isArray(next)
    ? next.reduce<unknown[]>(addBlock, Array.isArray(known) ? known : [])
    : textOf(known) + textOf(next);

const addBlock = (blocks: unknown[], next: unknown): unknown[] => {
  const last = blocks.at(-1);
  return isObject(last) && isObject(next) && isSameBlock(last, next)
    ? [...blocks.slice(0, -1), joinedBlock(last, next)]
    : [...blocks, next];
};

/** A block ends with its signature; encrypted blocks come whole. */
const isSameBlock = (last: JsonObject, next: JsonObject): boolean =>
  last.type === next.type &&
  last.index === next.index &&
  !last.signature &&
  BLOCK_TEXTS.some((name) => isText(last[name])) &&
  (!last.id || !next.id || last.id === next.id);

const BLOCK_TEXTS = ['text', 'summary', 'thinking'];

const joinedBlock = (last: JsonObject, next: JsonObject): JsonObject => ({
  ...last,
  ...Object.fromEntries(
    Object.entries(next).flatMap(([name, value]) => {
      if (BLOCK_TEXTS.includes(name)) return [[name, textOf(last[name]) + textOf(value)]];
      return value ? [[name, value]] : [];
    }),
  ),
});
