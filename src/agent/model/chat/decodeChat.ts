/** Decodes the chunks of a Chat Completions stream. */
import {
  concat,
  concatMap,
  connect,
  delay,
  filter,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  take,
  takeWhile,
  throwError,
} from 'rxjs';
import { isObject, type JsonObject, parseObject } from '../../../protocol/jsonrpc/json';
import type { ModelEvent, TokenUsage } from '../../../protocol/model/events';
import type { ResponseItem } from '../../../protocol/model/items';
import type { ModelError } from '../../../protocol/model/model';
import { incompleteFailure, reportedFailure, streamFailure } from '../../modelHttp/failures';
import { toChatUsage } from '../../modelHttp/usage';
import { addCalls, type PendingCall, toCallItem } from './chatCalls';

/** How long the usage may come after the finish of the answer. */
const USAGE_WAIT_MS = 1_000;

/** An answer so far. */
type Answer = {
  /** `finished`: its items were emitted. `cut`: the server ended it before the model did. `over`: nothing follows. */
  phase: 'running' | 'finished' | 'cut' | 'over';
  /** Why it was cut. */
  failure?: ModelError;
  id: string;
  text: string;
  hasThought: boolean;
  calls: PendingCall[];
  usage: TokenUsage | null;
  /** What the last chunk adds. */
  output: ModelEvent[];
};
const BLANK: Answer = { phase: 'running', id: '', text: '', hasThought: false, calls: [], usage: null, output: [] };

/**
 * Reads the data of events as ModelEvents; invalid JSON is skipped.
 * @param newId for calls that come without one
 * Emits deltas as they come. At the end: the message and its calls, or one reasoning item if there were only thoughts; then
 * `completed`, whatever the finish reason. An empty answer emits `nothing`; an answer without calls whose finish reason is calls emits `unknown`.
 * An answer that the server cut off errors after its message, without its calls.
 * Completes after `completed`: at the usage, at [DONE], at the end, or a second after the finish; errors with ModelError.
 *   in  t-t-f-u   (f finish_reason, u usage)
 *   out t-t-i-(C|)
 * Source: Codex 0.28.0, cases mh36 to mh53; parallel calls, usage, errors and the end without a finish are ours.
 */
export const decodeChat =
  ({ newId }: { newId: () => string }): OperatorFunction<string, ModelEvent> =>
  (data$) =>
    concat(data$, of(null)).pipe(
      scan((answer, data) => addData(newId, answer, data), BLANK),
      connect((answer$) =>
        merge(answer$, answer$.pipe(filter(isFinished), take(1), delay(USAGE_WAIT_MS), map(withoutOutput), map(close))),
      ),
      takeWhile((answer) => answer.phase !== 'over', true),
      concatMap(toOutput),
    );

const toOutput = ({ failure, output }: Answer): readonly ModelEvent[] | Observable<ModelEvent> =>
  failure !== undefined
    ? concat(
        of(...output),
        throwError(() => failure),
      )
    : output;

const isFinished = ({ phase }: Answer): boolean => phase === 'finished';
const withoutOutput = (answer: Answer): Answer => ({ ...answer, output: [] });

/** The answer after the data of one event, null for the end of the stream. */
const addData = (newId: () => string, answer: Answer, data: string | null): Answer => {
  if (data === null && answer.phase === 'running') {
    throw streamFailure('stream closed before finish_reason or [DONE]');
  }
  if (data === null || data.trim() === '[DONE]') return close(finish(newId, withoutOutput(answer)));
  const chunk = parseObject(data);
  if (chunk === undefined) return withoutOutput(answer);
  const added = answer.phase === 'running' ? addChunk(newId, answer, chunk) : withoutOutput(answer);
  const next = addUsage(added, chunk);
  return isFinished(next) && next.usage ? close(next) : next;
};

const addUsage = (answer: Answer, { usage }: JsonObject): Answer =>
  isObject(usage) ? { ...answer, usage: toChatUsage(usage) } : answer;

const addChunk = (newId: () => string, answer: Answer, chunk: JsonObject): Answer => {
  const { text, thought, calls, finish: reason, failure } = readChunk(chunk);
  const added: Answer = {
    phase: 'running',
    id: typeof chunk.id === 'string' && chunk.id !== '' ? chunk.id : answer.id,
    text: answer.text + text,
    hasThought: answer.hasThought || thought !== '',
    calls: addCalls(answer.calls, calls),
    usage: answer.usage,
    output: toDelta('rawReasoning', thought).concat(toDelta('text', text)),
  };
  if (failure !== undefined) return { ...withMessage(added), phase: 'cut', failure };
  return reason === undefined ? added : finish(newId, added, reason);
};

const toDelta = (kind: 'rawReasoning' | 'text', delta: string): ModelEvent[] =>
  delta === '' ? [] : [{ kind, itemId: '', delta }];

/** @param reason the finish reason; undefined for an answer that ends without one */
const finish = (newId: () => string, answer: Answer, reason?: string): Answer => {
  if (answer.phase !== 'running') return answer;
  const calls = answer.calls.map((call): ModelEvent => ({ kind: 'item', item: toCallItem(call, newId) }));
  const { output } = withMessage(answer);
  return { ...answer, phase: 'finished', output: [...output, ...calls, ...toRest(answer, reason)] };
};

const withMessage = (answer: Answer): Answer =>
  answer.text === ''
    ? answer
    : { ...answer, output: [...answer.output, { kind: 'item', item: toMessage(answer.text) }] };

/** What stands for the missing part of an answer, so that it does not pass for a complete one. */
const toRest = ({ calls, text, hasThought }: Answer, reason?: string): ModelEvent[] => {
  if (calls.length > 0) return [];
  if (reason === 'tool_calls' || reason === 'function_call')
    return [{ kind: 'unknown', type: `${reason} without a call` }];
  if (text !== '') return [];
  return [hasThought ? { kind: 'item', item: THOUGHT } : { kind: 'nothing' }];
};

/** An answer of thoughts only, whose text was emitted in deltas. */
const THOUGHT: ResponseItem = { type: 'reasoning', id: '', summary: [], encrypted_content: null };

const toMessage = (text: string): ResponseItem => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});

const close = (answer: Answer): Answer => ({
  ...answer,
  phase: 'over',
  output: [...answer.output, { kind: 'completed', responseId: answer.id, usage: answer.usage }],
});

/** What a chunk adds. */
type ChatPiece = {
  text: string;
  thought: string;
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
  const { delta, message, finish_reason, error } = isObject(choice) ? choice : ({} as JsonObject);
  const reported = chunk.error || error;
  if (reported)
    throw reportedFailure(isObject(reported) ? reported : { message: reported }, 'the server reported an error');
  const piece = [delta, message].find(isObject) ?? {}; // some servers send the whole message at once
  const [text, thought] = readContent(piece.content);
  return {
    text: text || textOf(piece.refusal) || textOf(isObject(piece.audio) ? piece.audio.transcript : ''),
    thought: thoughtOf(piece) || thought,
    calls: callsOf(piece),
    ...toFinish(finish_reason),
  };
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

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
