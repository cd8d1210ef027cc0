/** The arguments of a call as servers take them back. */
import { parseObject } from '../../protocol/jsonrpc';

/**
 * The arguments of a call that the model made earlier; what is no JSON object, such as that of a call which was cut off, stands in one as `input`.
 * A server that parses the arguments of all calls would refuse this and every later request of the conversation.
 * Source: vLLM of 17 August 2026, both dialects: 400, `Unterminated string starting at: line 1 column 22 (char 21)`.
 */
export const sentArguments = (args: string): string =>
  args === '' || parseObject(args) !== undefined ? args : JSON.stringify({ input: args });
