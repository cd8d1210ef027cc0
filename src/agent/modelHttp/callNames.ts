/** The name and the id of a call, as they must be for the call to be found, and to go back to any server. */

/**
 * The name without what is around it: tools are offered under names of letters, digits, `_` and `-`, and OpenAI refuses a conversation with any other.
 *   functions.shell, shell<|channel|>commentary  →  shell
 * Source: gpt-oss behind vLLM, Ollama and LM Studio, as quoted in public reports.
 */
export const toToolName = (name: string): string =>
  name
    .trim()
    .replace(/<\|.*$/s, '')
    .replace(/^functions\./, '')
    .replace(/[^\w-]/g, '_');

/** The id of a call to which the server gave none. @param random from 0 up to 1 */
export const newCallId = (random: () => number): string => `call_${Math.floor(random() * 2 ** 52).toString(36)}`;
