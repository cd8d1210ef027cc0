/** Reads the chunks of a Chat Completions stream, in the spellings of its servers, and assembles tool calls from their pieces. */
import { isObject, isText, type JsonObject, parseObject, textOf, toObject } from '../../../protocol/jsonrpc/json';
import type { ToolCallItem } from '../../../protocol/model/items';
import type { ModelError } from '../../../protocol/model/model';
import { toToolName } from '../../modelHttp/callNames';
import { incompleteFailure, limitItems, reportedFailure, streamFailure } from '../../modelHttp/failures';
import { errorIn } from '../../modelHttp/serverError';
import { keptOf, thoughtOf } from './thoughts';

/** What a chunk adds. */
type ChatPiece = {
  /** The chunk has the whole message so far, not what follows. */
  isWhole?: true;
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
    ...(!isObject(delta) && isObject(message) && { isWhole: true }),
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

/** The index of a call in the old form `function_call`, which allows one call per answer; some servers send it besides the new form. */
const OLD_FORM = -1;

const callsOf = ({ tool_calls, function_call }: JsonObject): readonly unknown[] => {
  const calls = Array.isArray(tool_calls) ? tool_calls : [];
  return isObject(function_call) && calls.length === 0 ? [{ index: OLD_FORM, function: function_call }] : calls;
};

/** The server stopped the model there; a call is then incomplete. Source: OpenAI, Gemini, Mistral, Zhipu, Anthropic, Bedrock, watsonx. */
const CUTS = new Set([
  'length',
  'content_filter',
  'content_filtered',
  'guardrail_intervened',
  'max_tokens',
  'max_output_tokens',
  'model_length',
  'model_context_window_exceeded',
  'token_limit',
  'time_limit',
  'safety',
  'recitation',
  'sensitive',
  'prohibited_content',
  'blocklist',
  'spii',
]);

/** The server could not go on; another attempt may succeed. Source: OpenRouter, DeepSeek, Zhipu, vLLM, watsonx. */
const BREAKS = new Set(['error', 'network_error', 'insufficient_system_resource', 'abort', 'cancelled']);

const toFinish = (reason: unknown): Pick<ChatPiece, 'finish' | 'failure'> => {
  if (typeof reason !== 'string' || reason === '') return {};
  const [known = ''] = reason.toLowerCase().split(':'); // Gemini adds the reason of its filter
  if (CUTS.has(known)) return { finish: reason, failure: incompleteFailure(reason) };
  if (BREAKS.has(known)) return { finish: reason, failure: streamFailure(`the server ended the answer: ${reason}`) };
  return { finish: reason };
};

/** A call under construction. */
export type PendingCall = {
  /** As the server numbers it. */
  index: number | string | undefined;
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
 * a name with a different id begins another call even under the same index, and if ids are missing, so does a name after complete arguments. A name may
 * come in pieces before the arguments, and a call that is repeated as a whole counts once. Throws ModelError for more calls than any model makes.
 * Source: Codex 0.28.0, cases mh42 to mh46; Ollama and Gemini number all calls 0, Gemini without an id; gateways that give each chunk an id of its
 * own, begin the arguments with `{}`, or send the whole call once more at the end.
 */
export const addCalls = (calls: PendingCall[], pieces: readonly unknown[]): PendingCall[] =>
  pieces.filter(isObject).reduce(addPiece, calls);

const addPiece = (calls: PendingCall[], piece: Record<string, unknown>): PendingCall[] => {
  const next = toPending(piece);
  limitItems(calls.length);
  const at = next.index === undefined ? calls.length - 1 : calls.findLastIndex(({ index }) => index === next.index);
  const known = calls[at];
  return !known || isAnother(known, next) ? [...calls, next] : calls.with(at, joinedCall(known, next));
};

const joinedCall = (known: PendingCall, next: PendingCall): PendingCall => {
  const { id, extra = next.extra } = known;
  const joined = {
    ...known,
    id: id || next.id,
    name: joinedName(known, next),
    args: joinedArgs(known.args, next.args),
  };
  return extra === undefined ? joined : { ...joined, extra };
};

const joinedName = ({ name, args }: PendingCall, next: PendingCall): string =>
  name === '' || (args === '' && next.name !== name) ? name + next.name : name;

const joinedArgs = (known: string, next: string): string => {
  if (known === '{}') return next || known;
  return known === next && isWhole(known) ? known : known + next;
};

const toPending = (piece: Record<string, unknown>): PendingCall => {
  const { name, arguments: args, input } = calledIn(piece);
  return {
    index: typeof piece.index === 'number' || isText(piece.index) ? piece.index : undefined,
    id: textOf(piece.id),
    name: textOf(name),
    args: isObject(args) ? JSON.stringify(args) : textOf(args ?? input),
    ...(isObject(piece.extra_content) && { extra: piece.extra_content }),
    ...(isObject(piece.custom) && { isFreeForm: true }),
  };
};

/** Source: OpenAI API, `custom` of a tool call in Chat Completions. */
const calledIn = ({ function: called, custom }: Record<string, unknown>): JsonObject =>
  [called, custom].find(isObject) ?? {};

/** A piece without a name begins another call if the call before it has all its arguments, and another id. */
const isAnother = (known: PendingCall, next: PendingCall): boolean => {
  const { id, name, args } = known;
  if (name === '') return false;
  if (id !== '' && next.id === id) return next.name !== '' && next.args !== '' && next.args !== args && isOver(args);
  if (id === '' || next.id === '')
    return next.name !== '' && (next.name !== name ? id === '' || args !== '' : isWhole(args));
  return isPart(known, next) ? isWhole(args) : true;
};

const isPart = ({ name }: PendingCall, next: PendingCall): boolean =>
  next.name === '' || (next.name === name && next.args !== '' && !next.args.startsWith('{'));

/** Some servers begin with arguments of `{}`, and send the right ones later. */
const isOver = (args: string): boolean => args !== '{}' && isWhole(args);

/** Arguments are parsed once for each piece that has a name: with longer ones that would hold up everything else, so such pieces count as one call. */
const MAX_PARSED_CHARS = 262_144;

const isWhole = (args: string): boolean => args.length <= MAX_PARSED_CHARS && parseObject(args) !== undefined;

/** @param newId makes an id if the server gives none */
export const toCallItem = (call: PendingCall, newId: () => string): ToolCallItem => {
  const { id, args, extra, isFreeForm } = call;
  const name = toToolName(call.name);
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
