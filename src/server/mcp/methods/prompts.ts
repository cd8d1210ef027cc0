/** The custom prompts of Codex as prompts of MCP. Source: Codex 0.142.0, `~/.codex/prompts`. */
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS, RpcError } from '../../../protocol/jsonrpc/messages';
import { clipName } from '../../../protocol/rpc/failureOutcome';
import { argumentsIn, fillPrompt, type PromptFile, readPromptFile } from '../library';

/** A prompt as a list shows it. */
export const toListed = ({ name, text: file }: PromptFile): JsonObject => {
  const { description, text } = readPromptFile(file);
  const args = argumentsIn(text);
  return { name, ...(description && { description }), ...(args.length > 0 && { arguments: args }) };
};

/** The prompt with these arguments. Throws RpcError -32602 for a value that is missing. */
export const toFilled = ({ name, text: file }: PromptFile, given: Readonly<Record<string, string>>): JsonObject => {
  const { description, text } = readPromptFile(file);
  const missing = argumentsIn(text).find((one) => one.required && !Object.hasOwn(given, one.name));
  if (missing !== undefined) {
    throw new RpcError(
      INVALID_PARAMS,
      `Invalid params: the prompt ${clipName(name)} needs the argument ${missing.name}`,
    );
  }
  return {
    ...(description && { description }),
    messages: [{ role: 'user', content: { type: 'text', text: fillPrompt(text, given) } }],
  };
};
