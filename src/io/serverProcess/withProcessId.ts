/** The process that a language server belongs to. */

import { isObject } from '../../protocol/jsonrpc/json';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { toJson } from '../../protocol/jsonrpc/toJson';

/**
 * The `initialize` of a language client with this process in the place of the recorded one; any other line as it is. A language server ends
 * when the process of its client does. Source: Language Server Protocol 3.17, initialize.
 */
export const withProcessId = (line: string, pid: number): string => {
  if (!line.includes('"processId"')) return line;
  const { value, messages } = parseLine(line);
  const [message] = messages;
  if (message?.kind !== 'request' || message.method !== 'initialize' || !isObject(value) || !isObject(value.params))
    return line;
  if (typeof value.params.processId !== 'number') return line;
  return toJson({ ...value, params: { ...value.params, processId: pid } });
};
