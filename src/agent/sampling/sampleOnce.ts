/** One answer of the model: its deltas and items become events, its calls run in order while the model is still answering. */
import { catchError, concat, map, type Observable, of, timer } from 'rxjs';
import { isModelDelta, type ModelEvent, type TokenUsage } from '../../protocol/model/events';
import type { ResponseItem, ToolCallItem } from '../../protocol/model/items';
import { ModelError } from '../../protocol/model/model';
import { divert } from '../../streams/divert';
import { followedBy } from '../../streams/followedBy';
import { sharedOrExclusive } from '../../streams/sharedOrExclusive';
import { backoffMs } from '../../streams/time/backoffMs';
import { toRequest } from '../thread/context';
import { isCall } from '../thread/history';
import { type BegunTurn, endOf, eventOf, type Sample, type Turn, type TurnStep } from '../thread/steps';
import { type AttemptDeps, afterAttempt, askModel, isTooLong, mayRetry, toFinalText } from './attempts';
import { type CallDeps, prepareCall } from './prepareCall';
import { type Deltas, textsOf, toDeltaEvents } from './toEvents';
import { toSteps } from './toSteps';
import { type DoubledCall, uniqueCalls, type Whole } from './uniqueCalls';

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
