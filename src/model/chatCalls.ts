/** Assembles tool calls from the pieces of a Chat Completions stream. */

import { isObject } from '../protocol/jsonrpc';
import type { FunctionCall } from '../protocol/model';

/** A call under construction; `index` as the server numbers it. */
export type PendingCall = { index: number | undefined; id: string; name: string; args: string };

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Adds the `tool_calls` of one chunk. A piece belongs to the call of its index, or to the last one where it has none;
 * another id begins another call even under the same index.
 * Source: Codex 0.28.0, cases mh42 to mh46; Ollama and Gemini number all calls 0.
 */
export const addCalls = (calls: PendingCall[], pieces: unknown): PendingCall[] =>
  Array.isArray(pieces) ? pieces.filter(isObject).reduce(addPiece, calls) : calls;

const addPiece = (calls: PendingCall[], piece: Record<string, unknown>): PendingCall[] => {
  const { name, arguments: args } = isObject(piece.function) ? piece.function : {};
  const index = typeof piece.index === 'number' ? piece.index : undefined;
  const id = textOf(piece.id);
  const at = index === undefined ? calls.length - 1 : calls.findLastIndex((call) => call.index === index);
  const known = calls[at];
  if (!known || (id !== '' && known.id !== '' && id !== known.id)) {
    return [...calls, { index, id, name: textOf(name), args: textOf(args) }];
  }
  const grown = {
    index: known.index,
    id: known.id || id,
    name: known.name || textOf(name),
    args: known.args + textOf(args),
  };
  return calls.with(at, grown);
};

/** @param newId for servers that give none */
export const toCallItem = ({ id, name, args }: PendingCall, newId: () => string): FunctionCall => ({
  type: 'function_call',
  name,
  arguments: args === '' ? '{}' : args,
  call_id: id === '' ? newId() : id,
});
