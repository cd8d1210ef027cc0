/** The name of the tool that a model calls, as it must be for the call to be found, and to go back to any server. */

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
