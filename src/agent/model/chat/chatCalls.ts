/** Assembles tool calls from the pieces of a Chat Completions stream. */
import { isObject, type JsonObject, parseObject, textOf } from '../../../protocol/jsonrpc/json';
import type { ToolCallItem } from '../../../protocol/model/items';
import { limitItems } from '../../modelHttp/failures';

/** A call under construction. */
export type PendingCall = {
  /** As the server numbers it. */
  index: number | undefined;
  id: string;
  name: string;
  args: string;
  /** What the server expects back with the call. */
  extra?: JsonObject;
  /** `args` is text, not JSON. */
  isFreeForm?: true;
};

/**
 * Adds the `tool_calls` of one chunk. A piece belongs to the call with its index, or to the last call if it has none;
 * a different id begins another call even under the same index, and if ids are missing, so does a name after complete arguments. Throws
 * ModelError for more calls than any model makes.
 * Source: Codex 0.28.0, cases mh42 to mh46; Ollama and Gemini number all calls 0, Gemini without an id.
 */
export const addCalls = (calls: PendingCall[], pieces: readonly unknown[]): PendingCall[] =>
  pieces.filter(isObject).reduce(addPiece, calls);

const addPiece = (calls: PendingCall[], piece: Record<string, unknown>): PendingCall[] => {
  const next = toPending(piece);
  limitItems(calls.length);
  const at = next.index === undefined ? calls.length - 1 : calls.findLastIndex(({ index }) => index === next.index);
  const known = calls[at];
  if (!known || isAnother(known, next)) return [...calls, next];
  const { id, name, args, extra = next.extra } = known;
  const joined = { ...known, id: id || next.id, name: name || next.name, args: args + next.args };
  return calls.with(at, extra === undefined ? joined : { ...joined, extra });
};

const toPending = (piece: Record<string, unknown>): PendingCall => {
  const { name, arguments: args, input } = calledIn(piece);
  return {
    index: typeof piece.index === 'number' ? piece.index : undefined,
    id: textOf(piece.id),
    name: textOf(name),
    args: isObject(args) ? JSON.stringify(args) : textOf(args ?? input),
    ...(isObject(piece.extra_content) && { extra: piece.extra_content }),
    ...(isObject(piece.custom) && { isFreeForm: true }),
  };
};

/** Source: OpenAI API, `custom` of a tool call in Chat Completions. */
const calledIn = ({ function: called, custom }: Record<string, unknown>): JsonObject => {
  if (isObject(called)) return called;
  return isObject(custom) ? custom : {};
};

/** A name alone begins another call if the call before it has all its arguments. */
const isAnother = (known: PendingCall, next: PendingCall): boolean =>
  next.id === '' || known.id === ''
    ? next.name !== '' && known.name !== '' && (next.name !== known.name || isWhole(known.args))
    : next.id !== known.id;

/** Arguments are parsed once for each piece that has a name: with longer ones that would hold up everything else, so such pieces count as one call. */
const MAX_PARSED_CHARS = 262_144;

const isWhole = (args: string): boolean => args.length <= MAX_PARSED_CHARS && parseObject(args) !== undefined;

/** @param newId makes an id if the server gives none */
export const toCallItem = ({ id, name, args, extra, isFreeForm }: PendingCall, newId: () => string): ToolCallItem => {
  const call_id = id === '' ? newId() : id;
  if (isFreeForm) return { type: 'custom_tool_call', call_id, name, input: args };
  return {
    type: 'function_call',
    name,
    arguments: args === '' ? '{}' : args,
    call_id,
    ...(extra && { extra_content: extra }),
  };
};
