/** The arguments of a tool call, as they are sent back to the model. */
import { parseObject } from '../../protocol/jsonrpc/json';

/**
 * The arguments of an earlier tool call. Text that is not a JSON object, such as that of a call that was cut off, is sent as the member `input` of one:
 * a server that parses the arguments of all calls would otherwise refuse this and every later request of the conversation.
 * Source: vLLM of 17 August 2026, both dialects: 400, `Unterminated string starting at: line 1 column 22 (char 21)`.
 */
export const toSentArguments = (args: string): string =>
  args === '' || parseObject(args) !== undefined ? args : JSON.stringify({ input: args });
