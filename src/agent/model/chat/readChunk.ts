/** Reads the chunks of a Chat Completions stream, in the spellings of its servers, and assembles tool calls from their pieces. */
import { isObject, type JsonObject, parseObject, textOf, toObject } from '../../../protocol/jsonrpc/json';
import type { ToolCallItem } from '../../../protocol/model/items';
import type { ModelError } from '../../../protocol/model/model';
import { incompleteFailure, limitItems, reportedFailure, streamFailure } from '../../modelHttp/failures';
import { errorIn } from '../../modelHttp/serverError';

/** What a chunk adds. */
type ChatPiece = {
  text: string;
  thought: string;
  /** The thoughts by the member in which they came, as the server wants them back. */
  kept: JsonObject;
  /** Pieces of calls, not yet read. */
  calls: readonly unknown[];
  /** The finish reason; undefined before the end. */
  finish?: string;
  /** The server ended the answer before the model did. */
  failure?: ModelError;
};

/** Reads a chunk. A chunk without a choice, such as the chunk with the usage, adds nothing. Throws ModelError for an error that the chunk reports. */
export const readChunk = (chunk: JsonObject): ChatPiece => {
  const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  const { delta, message, finish_reason, error } = toObject(choice);
  const reported = errorIn({ error: chunk.error || error });
  if (reported !== undefined) throw reportedFailure(reported, 'the server reported an error');
  const piece = [delta, message].find(isObject) ?? {}; // some servers send the whole message at once
  const [text, thought] = readContent(piece.content);
  const shown = thoughtOf(piece);
  return {
    text: text || textOf(piece.refusal) || textOf(toObject(piece.audio).transcript),
    thought: shown || thought,
    kept: keptOf(piece, shown),
    calls: callsOf(piece),
    ...toFinish(finish_reason),
  };
};

/** The text and the thoughts of a content. Source: Mistral sends parts; a part with thoughts has parts of its own. */
const readContent = (content: unknown): [text: string, thought: string] => {
  if (!Array.isArray(content)) return [textOf(content), ''];
  const parts = content.filter(isObject);
  return [
    parts.map(({ text, refusal }) => textOf(text) || textOf(refusal)).join(''),
    parts.map(({ thinking }) => readContent(thinking)[0]).join(''),
  ];
};

/** DeepSeek, vLLM and llama.cpp send `reasoning_content`, OpenRouter and Ollama `reasoning`, as text or in an object, others `thinking`. */
const thoughtOf = ({ reasoning_content, reasoning, thinking }: JsonObject): string =>
  textOf(reasoning_content) ||
  (isObject(reasoning) ? textOf(reasoning.text) || textOf(reasoning.content) : textOf(reasoning)) ||
  textOf(thinking);

/** Source: DeepSeek and Kimi refuse calls without their `reasoning_content`; OpenRouter wants `reasoning_details` back. */
const keptOf = (piece: JsonObject, shown: string): JsonObject => {
  const name = shown === '' ? undefined : Object.keys(piece).find((one) => piece[one] === shown);
  const { reasoning_details: details } = piece;
  return {
    ...(name !== undefined && { [name]: shown }),
    ...(Array.isArray(details) && details.length > 0 && { reasoning_details: details }),
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
  Array.isArray(next) ? [...(Array.isArray(known) ? known : []), ...next] : textOf(known) + textOf(next);

/** The index of a call in the old form `function_call`, which allows one call per answer. */
const OLD_FORM = -1;

const callsOf = ({ tool_calls, function_call }: JsonObject): readonly unknown[] => {
  const calls = Array.isArray(tool_calls) ? tool_calls : [];
  return isObject(function_call) ? [...calls, { index: OLD_FORM, function: function_call }] : calls;
};

/** The server stopped the model there; a call is then incomplete. Source: OpenAI, Gemini, Mistral, Zhipu. */
const CUTS = new Set(['length', 'content_filter', 'max_tokens', 'model_length', 'safety', 'recitation', 'sensitive']);

/** The server could not go on; another attempt may succeed. Source: OpenRouter, DeepSeek, Zhipu, vLLM. */
const BREAKS = new Set(['error', 'network_error', 'insufficient_system_resource', 'abort']);

const toFinish = (reason: unknown): Pick<ChatPiece, 'finish' | 'failure'> => {
  if (typeof reason !== 'string' || reason === '') return {};
  const known = reason.toLowerCase();
  if (CUTS.has(known)) return { finish: reason, failure: incompleteFailure(reason) };
  if (BREAKS.has(known)) return { finish: reason, failure: streamFailure(`the server ended the answer: ${reason}`) };
  return { finish: reason };
};

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
