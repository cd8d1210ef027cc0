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
import { isObject, type JsonObject, parseObject } from '../protocol/jsonrpc';
import type { ModelEvent, ResponseItem, TokenUsage } from '../protocol/model';
import { addCalls, type PendingCall, toCallItem } from './chatCalls';
import { incompleteFailure, reportedFailure, streamFailure } from './failures';
import { toChatUsage } from './usage';

/** How long the usage may come after the answer is finished. */
const USAGE_WAIT_MS = 1_000;

/**
 * An answer so far; `output` is what the last chunk adds. Finished: its items are emitted. Cut: the server ended it before the model did,
 * for `reason`. Over: nothing follows.
 */
type Answer = {
  phase: 'running' | 'finished' | 'cut' | 'over';
  reason?: unknown;
  id: string;
  text: string;
  hasThought: boolean;
  calls: PendingCall[];
  usage: TokenUsage | null;
  output: ModelEvent[];
};
const BLANK: Answer = { phase: 'running', id: '', text: '', hasThought: false, calls: [], usage: null, output: [] };

/**
 * Reads the data of events as ModelEvents; bad JSON is skipped.
 * @param newId for calls that come without one
 * Emits deltas as they come. At the end: the message and its calls, or one reasoning item where there were thoughts alone; then
 * `completed`, whatever the finish reason. An answer that the server cut off is an error after its message, without its calls.
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

const toOutput = ({ phase, reason, output }: Answer): readonly ModelEvent[] | Observable<ModelEvent> =>
  phase === 'cut'
    ? concat(
        of(...output),
        throwError(() => incompleteFailure(reason)),
      )
    : output;

/** The server stops the model there; what there is of a call then is not all of it. */
const CUTS = new Set<unknown>(['length', 'content_filter']);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
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
  if (chunk.error) throw reportedFailure(toErrorObject(chunk.error), 'the server reported an error');
  const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  const { delta, finish_reason } = isObject(choice) ? choice : {};
  const piece = isObject(delta) ? delta : {};
  const text = textOf(piece.content) || textOf(piece.refusal);
  const thought = toThought(piece);
  const added: Answer = {
    phase: 'running',
    id: textOf(chunk.id) || answer.id,
    text: answer.text + text,
    hasThought: answer.hasThought || thought !== '',
    calls: addCalls(answer.calls, piece.tool_calls),
    usage: answer.usage,
    output: toDelta('rawReasoning', thought).concat(toDelta('text', text)),
  };
  if (CUTS.has(finish_reason))
    return { ...finish(newId, { ...added, calls: [] }), phase: 'cut', reason: finish_reason };
  return typeof finish_reason === 'string' && finish_reason !== '' ? finish(newId, added) : added;
};

const toErrorObject = (error: unknown): JsonObject => (isObject(error) ? error : { message: error });
const toDelta = (kind: 'rawReasoning' | 'text', delta: string): ModelEvent[] =>
  delta === '' ? [] : [{ kind, itemId: '', delta }];

/** DeepSeek sends `reasoning_content`, OpenRouter and others `reasoning`, as text or in an object. */
const toThought = ({ reasoning_content, reasoning }: JsonObject): string =>
  textOf(reasoning_content) ||
  (isObject(reasoning) ? textOf(reasoning.text) || textOf(reasoning.content) : textOf(reasoning));

const finish = (newId: () => string, answer: Answer): Answer => {
  if (answer.phase !== 'running') return answer;
  const message = answer.text === '' ? [] : [toMessage(answer.text)];
  const items: ResponseItem[] = [...message, ...answer.calls.map((call) => toCallItem(call, newId))];
  const all = items.length === 0 && answer.hasThought ? [THOUGHT] : items;
  return {
    ...answer,
    phase: 'finished',
    output: [...answer.output, ...all.map((item) => ({ kind: 'item', item }) as const)],
  };
};

/** An answer of thoughts alone, whose text has gone out in deltas. */
const THOUGHT: ResponseItem = { type: 'reasoning', id: '', summary: [], encrypted_content: null };

const toMessage = (text: string): ResponseItem => ({
  ...{ type: 'message', role: 'assistant' },
  content: [{ type: 'output_text', text }],
});

const close = (answer: Answer): Answer => ({
  ...answer,
  phase: 'over',
  output: [...answer.output, { kind: 'completed', responseId: answer.id, usage: answer.usage }],
});
