/** Decodes the chunks of a Chat Completions stream. */
import {
  catchError,
  concat,
  concatMap,
  connect,
  filter,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  switchMap,
  takeWhile,
  throwError,
  timer,
} from 'rxjs';
import { isObject, type JsonObject, parseJson, parseObject } from '../../../protocol/jsonrpc/json';
import type { ModelEvent, TokenUsage } from '../../../protocol/model/events';
import type { ResponseItem } from '../../../protocol/model/items';
import type { ModelError } from '../../../protocol/model/model';
import { inputFirst } from '../../../streams/time/limits';
import { closedFailure, reportedFailure } from '../../modelHttp/failures';
import { errorIn, lastWordsIn, wordsOf } from '../../modelHttp/serverError';
import { toChatUsage } from '../../modelHttp/usage';
import { addCalls, type PendingCall, readChunk, toCallItem } from './readChunk';
import { addThoughts } from './thoughts';

/** How long a server may be silent after a finish reason: a second if that came alone, as the end of an answer does. */
const QUIET_MS = 1_000;
/** If it came with a part of the answer: some servers send one with each part, and a part may take long. */
const PART_QUIET_MS = 30_000;

type Answer = {
  /** `finished`: a finish reason came. `cut`: the server ended it before the model did. `over`: nothing follows. */
  phase: 'running' | 'finished' | 'cut' | 'over';
  /** Why it was cut. */
  failure?: ModelError;
  /** The last finish reason. */
  reason?: string;
  /** How long the server may be silent once it is finished. */
  quietMs: number;
  id: string;
  text: string;
  hasThought: boolean;
  /** The thoughts that the server wants back, by the member in which they came. */
  thoughts: JsonObject;
  calls: PendingCall[];
  usage: TokenUsage | null;
  /** What the server wrote last that is no part of an answer. */
  words?: string;
  /** What the last chunk adds. */
  output: ModelEvent[];
};
const BLANK: Answer = {
  phase: 'running',
  quietMs: QUIET_MS,
  id: '',
  text: '',
  hasThought: false,
  thoughts: {},
  calls: [],
  usage: null,
  output: [],
};

/**
 * Reads the data of events as ModelEvents; invalid JSON is skipped.
 * @param newId for calls that come without one
 * Emits deltas as they come. At the end: the thoughts of an answer with calls, the message and its calls, or one reasoning item if there were only thoughts;
 * then `completed`, whatever the finish reason. An empty answer emits `nothing`; an answer without calls whose finish reason is calls emits `unknown`.
 * An answer that the server cut off errors after its message, without its calls.
 * Completes at a usage without a choice after the finish, at [DONE], at the end, or when nothing has followed the finish for a second: text may follow
 * a finish reason, because some servers send one with each part. Errors with ModelError.
 *   in  t-t-f-u      (f finish_reason, u usage)
 *   out t-t---(iC|)
 * Source: Codex 0.28.0, cases mh36 to mh53; parallel calls, usage, errors, the end without a finish and text after it are ours.
 */
export const decodeChat =
  ({ newId }: { newId: () => string }): OperatorFunction<string, ModelEvent> =>
  (data$) =>
    concat(data$.pipe(catchError((error: unknown) => of({ error }))), of(null)).pipe(
      scan((answer, data) => addData(newId, answer, data), BLANK),
      connect((answer$) =>
        merge(
          answer$,
          answer$.pipe(
            filter(isFinished),
            switchMap((answer) => closeLater(newId, answer)),
          ),
        ),
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

const closeLater = (newId: () => string, answer: Answer): Observable<Answer> =>
  timer(answer.quietMs, inputFirst).pipe(map(() => close(newId, withoutOutput(answer))));

/** A stream that breaks off. */
type Broken = { error: unknown };

/** The answer after the data of one event, null for the end of the stream. A stream that breaks off after the finish has ended. */
const addData = (newId: () => string, answer: Answer, data: string | Broken | null): Answer => {
  const { phase, words } = answer;
  if (data !== null && typeof data === 'object') {
    if (phase !== 'finished') throw data.error;
    return close(newId, withoutOutput(answer));
  }
  if (data === null && phase === 'running') throw closedFailure('finish_reason or [DONE]', words);
  if (data === null || data.trim() === '[DONE]') return close(newId, withoutOutput(answer));
  const chunk = parseObject(data) ?? objectIn(data);
  if (chunk === undefined) return withWords(answer, lastWordsIn(data));
  if (!isChunk(chunk)) return withWords(answer, refuseError(chunk));
  const next = addUsage(addChunk(answer, chunk), chunk);
  return isFinished(next) && isLast(next, chunk) ? close(newId, next) : next;
};

/** True for a chunk with the usage that adds nothing else: it is the last one. */
const isLast = ({ output, quietMs }: Answer, { choices, usage }: JsonObject): boolean =>
  isObject(usage) && (!hasChoice(choices) || (output.length === 0 && quietMs === QUIET_MS));

const hasChoice = (choices: unknown): boolean => Array.isArray(choices) && choices.length > 0;

const withWords = (answer: Answer, words: string | undefined): Answer => ({
  ...withoutOutput(answer),
  ...(words !== undefined && { words }),
});

/** The object in a list, such as that of Gemini with an error. */
const objectIn = (data: string): JsonObject | undefined => {
  const value = parseJson(data);
  return Array.isArray(value) && isObject(value[0]) ? value[0] : undefined;
};

const isChunk = ({ choices, usage }: JsonObject): boolean => hasChoice(choices) || isObject(usage);

/** Throws ModelError for an error that an object in the place of a chunk reports; otherwise its words, if it has any. */
const refuseError = (object: JsonObject): string | undefined => {
  const error = errorIn(object);
  if (error !== undefined) throw reportedFailure(error, REPORTED);
  return wordsOf(object);
};

const REPORTED = 'the server reported an error';

const addUsage = (answer: Answer, { usage }: JsonObject): Answer =>
  isObject(usage) ? { ...answer, usage: toChatUsage(usage) } : answer;

const addChunk = (answer: Answer, chunk: JsonObject): Answer => {
  const { text, thought, kept, calls, finish: reason, failure } = restOf(answer, readChunk(chunk));
  const added: Answer = {
    ...answer,
    id: typeof chunk.id === 'string' && chunk.id !== '' ? chunk.id : answer.id,
    text: answer.text + text,
    hasThought: answer.hasThought || thought !== '',
    thoughts: addThoughts(answer.thoughts, kept),
    calls: addCalls(answer.calls, calls),
    output: toDelta('rawReasoning', thought).concat(toDelta('text', text)),
  };
  if (failure !== undefined) return { ...withMessage(added), phase: 'cut', failure };
  if (reason === undefined) return added;
  const isEnd = added.output.length === 0 && !isEmpty(added);
  return { ...added, phase: 'finished', reason, quietMs: isEnd ? QUIET_MS : PART_QUIET_MS };
};

/** A whole message without what came in pieces before. */
const restOf = (answer: Answer, piece: ReturnType<typeof readChunk>): ReturnType<typeof readChunk> =>
  !piece.isWhole || isEmpty(answer)
    ? piece
    : {
        ...piece,
        text: answer.text === '' ? piece.text : piece.text.slice(answer.text.length),
        ...(answer.hasThought && { thought: '', kept: {} }),
        calls: answer.calls.length > 0 ? [] : piece.calls,
      };

const isEmpty = ({ text, hasThought, calls }: Answer): boolean => text === '' && !hasThought && calls.length === 0;

const toDelta = (kind: 'rawReasoning' | 'text', delta: string): ModelEvent[] =>
  delta === '' ? [] : [{ kind, itemId: '', delta }];

/** The items of an answer, and its end; an answer without a finish reason in which the server wrote something else fails with that. */
const close = (newId: () => string, answer: Answer): Answer => {
  const { phase, words, calls: pending, output, id, usage } = answer;
  if (phase === 'running' && words !== undefined)
    return { ...withMessage(answer), phase: 'over', failure: closedFailure('finish_reason', words) };
  const calls = pending.map((call): ModelEvent => toCallEvent(call, newId));
  const items = [...withThoughts(answer), ...withMessage({ ...answer, output: [] }).output, ...calls];
  const completed: ModelEvent = { kind: 'completed', responseId: id, usage };
  return { ...answer, phase: 'over', output: [...output, ...items, ...toRest(answer), completed] };
};

/** A call without a name is none: no server takes it back. */
const toCallEvent = (call: PendingCall, newId: () => string): ModelEvent =>
  call.name === '' ? { kind: 'unknown', type: 'call without a name' } : { kind: 'item', item: toCallItem(call, newId) };

const withMessage = (answer: Answer): Answer =>
  answer.text === ''
    ? answer
    : { ...answer, output: [...answer.output, { kind: 'item', item: toMessage(answer.text) }] };

/** The thoughts that led to calls: servers want them back with these. Source: DeepSeek, Kimi, OpenRouter. */
const withThoughts = ({ thoughts, calls }: Answer): ModelEvent[] =>
  calls.length === 0 || Object.keys(thoughts).length === 0
    ? []
    : [{ kind: 'item', item: { ...THOUGHT, extra_content: thoughts } }];

/** What stands for the missing part of an answer, so that it does not pass for a complete one. */
const toRest = ({ calls, text, hasThought, reason }: Answer): ModelEvent[] => {
  if (calls.length > 0) return [];
  if (reason === 'tool_calls' || reason === 'function_call')
    return [{ kind: 'unknown', type: `${reason} without a call` }];
  if (text !== '') return [];
  return [hasThought ? { kind: 'item', item: THOUGHT } : { kind: 'nothing' }];
};

/** An answer of thoughts only, whose text was emitted in deltas. */
const THOUGHT = { type: 'reasoning', id: '', summary: [], encrypted_content: null } as const satisfies ResponseItem;

const toMessage = (text: string): ResponseItem => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
