/** The custom prompts of Codex as prompts of MCP. Source: Codex 0.142.0, `~/.codex/prompts`: `$1` to `$9`, `$ARGUMENTS`, `$NAME`, `$$`, and a head in YAML. */
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS, RpcError } from '../../../protocol/jsonrpc/messages';
import { clipName } from '../../../protocol/rpc/failureOutcome';
import { type PromptFile, readPromptFile } from '../library';

type Prompt = {
  description?: string;
  /** The names of its arguments, each once, in the order in which they stand in the text. */
  names: readonly string[];
  text: string;
};

const PLACE = /\$(?:\$|([1-9])|([A-Z][A-Z0-9_]*))/g;

/** Reads the file of a prompt. */
const readPrompt = (file: string): Prompt => {
  const { hint: _, ...prompt } = readPromptFile(file);
  const found = [...prompt.text.matchAll(PLACE)].flatMap(([, digit, name]) => digit ?? name ?? []);
  return { ...prompt, names: [...new Set(found)] };
};

/** Codex fills a place without a value with nothing if it is numbered; a named one must have a value. */
const isRequired = (name: string): boolean => name !== ALL && !/^\d$/.test(name);

/** Stands for all numbered arguments. */
const ALL = 'ARGUMENTS';

/** A prompt as a list shows it. */
export const toListed = ({ name, text }: PromptFile): JsonObject => {
  const { description, names } = readPrompt(text);
  const args = names.map((one) => ({ name: one, required: isRequired(one) }));
  return { name, ...(description && { description }), ...(args.length > 0 && { arguments: args }) };
};

/** The prompt with these arguments. Throws RpcError -32602 for a value that is missing. */
export const toFilled = ({ name, text: file }: PromptFile, given: Readonly<Record<string, string>>): JsonObject => {
  const { description, names, text } = readPrompt(file);
  const missing = names.find((one) => isRequired(one) && !Object.hasOwn(given, one));
  if (missing !== undefined) {
    throw new RpcError(INVALID_PARAMS, `Invalid params: the prompt ${clipName(name)} needs the argument ${missing}`);
  }
  const numbered = Object.entries(given).filter(([one]) => /^[1-9]$/.test(one));
  const all = given[ALL] ?? numbered.map(([, value]) => value).join(' ');
  const textFor = (one: string): string =>
    Object.hasOwn(given, one) ? (given[one] as string) : one === ALL ? all : '';
  const filled = text.replace(PLACE, (_, digit?: string, word?: string) => {
    const place = digit ?? word;
    return place === undefined ? '$' : textFor(place);
  });
  return {
    ...(description && { description }),
    messages: [{ role: 'user', content: { type: 'text', text: filled } }],
  };
};
