/** One answer of the model: its deltas and items become events, its calls run in order while the model is still answering. */
import { catchError, type Observable, type OperatorFunction, of } from 'rxjs';
import { isModelDelta, type ModelEvent, type TokenUsage } from '../../protocol/model/events';
import { isCall, type ToolCallItem } from '../../protocol/model/items';
import { ModelError } from '../../protocol/model/model';
import { divert } from '../../streams/divert';
import { followedBy } from '../../streams/ends';
import { gather } from '../../streams/gather';
import { sharedOrExclusive } from '../../streams/sharedOrExclusive';
import { toRequest } from '../thread/context';
import type { History } from '../thread/history';
import { eventOf, type Sample, type Turn, type TurnStep } from '../thread/steps';
import { withClient } from './askClient';
import { askTogether } from './askTogether';
import { type AttemptDeps, afterBreak, askModel, type BegunSample, begunSample } from './attempts';
import { prepareCall } from './prepareCall';
import { type Deltas, type DoubledCall, textsOf, toDeltaEvents, toSteps, type Whole } from './toSteps';

/** The conversation that the model is sent, and the attempt at its answer. */
type Asked = { history: Pick<History, 'past'>; sample: Sample };

/**
 * One answer: events and what goes into the history, then the next sample, or that the model asked for nothing more.
 * An answer that breaks off is a value here, so that calls already running can finish. Errors only on bugs.
 *   model  -d-c---z|       (d text, c a call, z completed)
 *   out    -D-B-E--(US|)   (B, E the command, U usage, S the next sample)
 * Source: Codex 0.28.0, CORE 5.2; there calls were forgotten when the stream broke.
 */
export const sampleOnce = (deps: AttemptDeps, turn: Turn, { history, sample }: Asked): Observable<TurnStep> => {
  const begun = begunSample(deps, sample);
  return askModel(deps, turn, { request: toRequest(turn, history.past), tried: begun.tried }).pipe(
    refuseLong(),
    catchError((error: unknown) => of(toBroken(error))),
    uniqueCalls(),
    divert<Answered, ToolCallItem, TurnStep>({
      project: (event, { emit, divert }) => {
        for (const step of isDeltas(event) ? toDeltaEvents(turn, event) : toSteps(turn, event)) emit(step);
        if (event.kind === 'item' && isCall(event.item)) divert(event.item);
      },
      other: turn.op.asksByTask
        ? askTogether(deps.ask, turn)
        : withClient(deps.ask, turn, (client) =>
            sharedOrExclusive((call) => prepareCall(deps.ask, { turn, call, client })),
          ),
    }),
    followedBy<TurnStep, Summary>(addToSummary, { ...NOTHING, lastMessage: sample.lastMessage }, (summary) =>
      toNext(deps, turn, { summary, sample: begun }),
    ),
  );
};

/** More than any model writes in one answer. Each later step, from the approval to the thread's file, takes time for each character. */
const MAX_CALL_CHARS = 2 ** 20;

/** Most texts come twice, in deltas and as a whole; the longest answers have some 200,000 tokens. */
const MAX_TEXT_CHARS = 2 ** 22;

/** Ends the answer at a call that is too long, before anything is done with it, and at a text that does not end. */
const refuseLong = (): OperatorFunction<Deltas | Whole, Deltas | Whole> =>
  gather(() => {
    let chars = 0; // of the texts so far
    return {
      next: (event, emit) => {
        if (event.kind === 'item' && isCall(event.item))
          refuse('called a tool with', lengthOf(event.item), MAX_CALL_CHARS);
        chars += textCharsOf(event);
        refuse('wrote an answer of', chars, MAX_TEXT_CHARS);
        emit(event);
      },
    };
  });

const refuse = (did: string, chars: number, most: number): void => {
  if (chars > most) throw new ModelError(`the model ${did} ${chars} characters; no more than ${most} are read`, false);
};

const textCharsOf = (event: Deltas | Whole): number => {
  if (event.kind === 'deltas') return event.deltas.reduce((sum, delta) => sum + textCharsOf(delta), 0);
  if ('delta' in event) return event.delta.length;
  return event.kind === 'item' ? textsOf(event.item).reduce((sum, { length }) => sum + length, 0) : 0;
};

const lengthOf = (item: ToolCallItem): number => {
  if (item.type === 'local_shell_call') return JSON.stringify(item.action).length;
  return item.name.length + (item.type === 'function_call' ? item.arguments : item.input).length;
};

const toBroken = (error: unknown): Whole => {
  if (error instanceof ModelError) return { kind: 'broken', error };
  throw error;
};

type Answered = Deltas | Whole | DoubledCall;

const isDeltas = (event: Answered): event is Deltas => event.kind === 'deltas' || isModelDelta(event as ModelEvent);

/** What an answer contained. */
type Summary = {
  /** There was a call, so the model must be asked again. */
  called: boolean;
  /** There was a message with text. */
  spoke: boolean;
  /** The types of the items that were neither a call nor a message with text. */
  silent: readonly string[];
  /** One of these is of an unknown type. */
  strange: boolean;
  /** Of the turn so far. */
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
  const text = textsOf(step.item).join('');
  if (text) return { ...summary, spoke: true, lastMessage: text };
  return { ...summary, silent: [...summary.silent, step.item.type] };
};

type Finished = { summary: Summary; sample: BegunSample };

/** The cost of an answer is reported once its calls are done. Source: Codex 0.28.0, CORE 1. */
const toNext = (deps: AttemptDeps, turn: Turn, { summary, sample }: Finished): Observable<TurnStep> => {
  const { called, lastMessage, usage, error } = summary;
  if (error) return afterBreak(deps, turn, { sample: { ...sample, lastMessage }, error });
  const next = (): TurnStep => {
    if (called) return { kind: 'sample', attempt: 0, lastMessage };
    if (isSilent(summary)) return { kind: 'unanswered', types: summary.silent, message: lastMessage };
    return { kind: 'finished', message: lastMessage };
  };
  return of<TurnStep[]>(...(usage ? [eventOf(turn, { type: 'token_count', ...usage })] : []), next());
};

/** Thoughts may follow an earlier message of the turn; on their own they are not an answer. */
const isSilent = ({ spoke, silent, strange, lastMessage }: Summary): boolean =>
  !spoke && silent.length > 0 && (strange || lastMessage === null);

/**
 * Marks each call whose id the answer has used before, and gives it another id, because a provider refuses a history with two outputs
 * for one id.
 *   in   -a-b-a-|     (a, b calls by their ids)
 *   out  -a-b-D-|     (D the doubled call)
 */
export const uniqueCalls = (): OperatorFunction<Deltas | Whole, Deltas | Whole | DoubledCall> =>
  gather(() => {
    const ids = new Set<string>(); // of the calls so far; changed in place, as a copy for each would cost more than the calls
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
