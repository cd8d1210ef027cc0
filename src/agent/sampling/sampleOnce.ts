/** One answer of the model: its deltas and items become events, its calls run in order while the model is still answering. */
import { catchError, concat, map, type Observable, type OperatorFunction, of, timer } from 'rxjs';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { isModelDelta, type ModelEvent, type TokenUsage } from '../../protocol/model/events';
import type { ResponseItem, ToolCallItem } from '../../protocol/model/items';
import { ModelError } from '../../protocol/model/model';
import { divert } from '../../streams/divert';
import { followedBy } from '../../streams/ends';
import { gather } from '../../streams/gather';
import { sharedOrExclusive } from '../../streams/sharedOrExclusive';
import { backoffMs } from '../../streams/time/wait';
import { toRequest } from '../thread/context';
import { isCall } from '../thread/history';
import { type BegunTurn, endOf, eventOf, outputOf, type Sample, type Turn, type TurnStep } from '../thread/steps';
import { type AttemptDeps, afterAttempt, askModel, isTooLong, mayRetry, toFinalText } from './attempts';
import { type CallDeps, prepareCall } from './prepareCall';
import { type Deltas, textsOf, toDeltaEvents, toItemEvents } from './toEvents';

/** What an answer needs. */
export type SampleDeps = CallDeps & AttemptDeps;

/**
 * One answer: events and what goes into the history, then the next sample, or that the model asked for nothing more.
 * An answer that breaks off is a value here, so that calls already running can finish. Errors only on bugs.
 *   model  -d-c---z|       (d text, c a call, z completed)
 *   out    -D-B-E--(US|)   (B, E the command, U usage, S the next sample)
 * Source: Codex 0.28.0, CORE 5.2; there calls were forgotten when the stream broke.
 */
export const sampleOnce =
  (deps: SampleDeps) =>
  (turn: Turn, input: readonly ResponseItem[], sample: Sample): Observable<TurnStep> =>
    answer(deps, turn, { input, sample: { tried: { requests: 0, sinceMs: deps.clockMs() }, ...sample } });

type Begun = { input: readonly ResponseItem[]; sample: Required<Sample> };

const answer = (deps: SampleDeps, turn: Turn, { input, sample }: Begun): Observable<TurnStep> =>
  askModel(deps, turn, { request: toRequest(turn, input), tried: sample.tried }).pipe(
    catchError((error: unknown) => of(toBroken(error))),
    uniqueCalls(),
    divert<Answered, ToolCallItem, TurnStep>({
      project: (event, { emit, divert }) => {
        for (const step of isDeltas(event) ? toDeltaEvents(turn, event) : toSteps(turn, event)) emit(step);
        if (event.kind === 'item' && isCall(event.item)) divert(event.item);
      },
      other: sharedOrExclusive((call) => prepareCall(deps)(turn, call)),
    }),
    followedBy<TurnStep, Summary>(addToSummary, { ...NOTHING, lastMessage: sample.lastMessage }, (summary) =>
      toNext(deps, turn, { ...summary, sample }),
    ),
  );

const toBroken = (error: unknown): Whole => {
  if (error instanceof ModelError) return { kind: 'broken', error };
  throw error;
};

type Answered = Deltas | Whole | DoubledCall;

const isDeltas = (event: Answered): event is Deltas => event.kind === 'deltas' || isModelDelta(event as ModelEvent);

/**
 * What an answer contained. `called`: there was a call, so the model must be asked again; `spoke`: there was a message with text.
 * `silent`: the types of the items that were neither; `strange`: one of them is of an unknown type. `lastMessage` of the turn so far.
 */
type Summary = {
  called: boolean;
  spoke: boolean;
  silent: readonly string[];
  strange: boolean;
  lastMessage: string | null;
  usage?: TokenUsage;
  error?: ModelError;
};

const NOTHING: Omit<Summary, 'lastMessage'> = { called: false, spoke: false, silent: [], strange: false };

const addToSummary = (summary: Summary, step: TurnStep): Summary => {
  if (step.kind === 'broken') return { ...summary, error: step.error };
  if (step.kind === 'usage') return { ...summary, usage: step.usage };
  if (step.kind === 'unknown') return { ...summary, silent: [...summary.silent, step.type], strange: true };
  if (step.kind === 'nothing') return { ...summary, silent: [...summary.silent, 'an empty text'] };
  if (step.kind !== 'item') return summary;
  if (isCall(step.item)) return { ...summary, called: true };
  const text = textsOf(step.item).at(-1);
  if (text) return { ...summary, spoke: true, lastMessage: text };
  return { ...summary, silent: [...summary.silent, step.item.type] };
};

type Finished = Summary & { sample: Required<Sample> };

/** The cost of an answer is reported once its calls are done. Source: Codex 0.28.0, CORE 1. */
const toNext = (deps: SampleDeps, turn: Turn, finished: Finished): Observable<TurnStep> => {
  const { called, lastMessage, usage, error, sample } = finished;
  if (error && isTooLong(error)) return of({ kind: 'tooLong', message: error.message });
  if (error) return afterBreak(deps, turn, { sample: afterAttempt({ ...sample, lastMessage }, error), error });
  const next = (): TurnStep => {
    if (called) return { kind: 'sample', attempt: 0, lastMessage };
    if (isSilent(finished)) return { kind: 'unanswered', types: finished.silent, message: lastMessage };
    return { kind: 'finished', message: lastMessage };
  };
  return of<TurnStep[]>(...(usage ? [eventOf(turn, { type: 'token_count', ...usage })] : []), next());
};

/** Thoughts may follow an earlier message of the turn; on their own they are not an answer. */
const isSilent = ({ spoke, silent, strange, lastMessage }: Summary): boolean =>
  !spoke && silent.length > 0 && (strange || lastMessage === null);

type Broken = { sample: Required<Sample>; error: ModelError };

/** Asks again with everything that was done so far, after a pause that doubles; or gives up with the error of the model. */
export const afterBreak = (
  deps: Pick<AttemptDeps, 'random'>,
  turn: BegunTurn,
  { sample, error }: Broken,
): Observable<TurnStep> => {
  const max = turn.thread.config.provider.streamMaxRetries;
  if (!mayRetry(turn, sample, error)) {
    return of(...endOf(turn, { kind: 'failed', message: toFinalText(error, sample) }));
  }
  const delayMs = Math.round(backoffMs(sample.attempt, deps.random));
  const notice = `stream error: ${error.message}; retrying ${sample.attempt}/${max} in ${delayMs}ms…`;
  return concat(of(eventOf(turn, { type: 'stream_error', message: notice })), timer(delayMs).pipe(map(() => sample)));
};

/** The steps of a complete item, of the end of an answer, or of what the provider does; a call itself is run elsewhere. */
export const toSteps = (turn: Turn, event: Whole | DoubledCall): TurnStep[] => {
  switch (event.kind) {
    case 'broken':
    case 'sampling':
    case 'nothing':
      return [event];
    case 'doubled':
      return [{ kind: 'item', item: event.item }, outputOf(event.item, doubledText(event.call_id))];
    case 'completed':
      return event.usage === null ? [] : [{ kind: 'usage', usage: event.usage }];
    case 'search':
      return [eventOf(turn, toSearchMsg(event)), ...(event.query === undefined ? [] : [SEARCHED])];
    case 'unknown':
      return [eventOf(turn, { type: 'warning', message: leftOut(event.type), item_type: event.type }), event];
    case 'item':
      return [...toItemEvents(turn, event.item), { kind: 'item', item: event.item }];
  }
};

const doubledText = (call_id: string): string =>
  `err: this answer has another call with the id ${call_id}, which runs; this one does not. Use a new id for each call.`;

/** A search with no message after it is not an answer. */
const SEARCHED: TurnStep = { kind: 'unknown', type: 'web_search_call' };

const toSearchMsg = ({ callId: call_id, query }: Extract<Whole, { kind: 'search' }>): EventMsg =>
  query === undefined ? { type: 'web_search_begin', call_id } : { type: 'web_search_end', call_id, query };

const leftOut = (type: string): string =>
  `The model sent an item of the type ${type}, which is not known here, or lacks a part. It was left out.`;

/** An event of a model that is not a delta, or the end of an answer that broke off. */
export type Whole = Exclude<ModelEvent, Deltas> | Extract<TurnStep, { kind: 'broken' | 'sampling' }>;

/** A call under an id that another call of the answer has; `item` has an id of its own. `call_id` is the repeated one. */
export type DoubledCall = { kind: 'doubled'; item: ToolCallItem; call_id: string };

/**
 * Marks each call whose id the answer has used before, and gives it another id, because a provider refuses a history with two outputs
 * for one id.
 *   in   -a-b-a-|     (a, b calls by their ids)
 *   out  -a-b-D-|     (D the doubled call)
 */
export const uniqueCalls = (): OperatorFunction<Deltas | Whole, Deltas | Whole | DoubledCall> =>
  gather(() => {
    const ids = new Set<string>(); // of the calls so far; grows with each call, as a copy for each would cost more than the calls
    return {
      next: (event, emit) => {
        if (event.kind !== 'item' || !isCall(event.item)) return emit(event);
        const { call_id } = event.item;
        const own = unusedId(ids, call_id);
        ids.add(own);
        emit(own === call_id ? event : { kind: 'doubled', item: { ...event.item, call_id: own }, call_id });
      },
    };
  });

/** The id itself, or with the first number appended that makes it unused. */
const unusedId = (ids: ReadonlySet<string>, id: string): string => {
  if (!ids.has(id)) return id;
  for (let number = 2; ; number += 1) {
    const candidate = `${id}_${number}`;
    if (!ids.has(candidate)) return candidate;
  }
};
