/** Owns one answer of the model: its words become events, its calls run beside each other while it still speaks. */
import {
  catchError,
  concat,
  connect,
  defer,
  EMPTY,
  filter,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  timer,
} from 'rxjs';
import { ModelError, type ModelEvent, type ResponseItem, type TokenUsage } from '../protocol';
import { followedBy } from '../streams';
import { toRequest } from './context';
import { type CallDeps, runCall } from './runCall';
import { fail, type Sample, type Step, type Turn, tell } from './step';

export type SampleDeps = CallDeps & { random: () => number };

type Delta = Extract<ModelEvent, { delta: string } | { kind: 'reasoningBreak' }>;
type Whole = Exclude<ModelEvent, Delta> | Extract<Step, { kind: 'broken' }>;

/**
 * One answer: events and what to remember, then the next sample, or the end of the turn.
 * A model that breaks off is a value here, so that calls already running come to their end. Errors by faults of ours only.
 *   model  -d-c---z|       (d text, c a call, z completed)
 *   out    -D-B-E--(US|)   (B, E the command, U usage, S the next sample)
 * Source: Codex 0.28.0, CORE 5.2; there calls ran one after another, and were forgotten when the stream broke.
 */
export const sampleOnce =
  (deps: SampleDeps) =>
  (turn: Turn, history: ResponseItem[], sample: Sample): Observable<Step> =>
    defer(() => turn.thread.model(toRequest(turn.thread, turn.tools, history))).pipe(
      catchError((error: unknown) => of(toBroken(error))),
      connect((heard$) =>
        merge(
          heard$.pipe(
            filter(isDelta),
            map((delta) => toDelta(turn, delta)),
          ),
          heard$.pipe(
            filter(isWhole),
            mergeMap((heard) => toSteps(deps, turn, heard)),
          ),
        ),
      ),
      followedBy<Step, Sum>(sumUp, { called: false, said: sample.said }, (sum) => next(deps, turn, sample, sum)),
    );

const toBroken = (error: unknown): Whole => {
  if (error instanceof ModelError) return { kind: 'broken', error };
  throw error;
};

const isWhole = (heard: Delta | Whole): heard is Whole =>
  heard.kind === 'item' || heard.kind === 'completed' || heard.kind === 'broken';

const isDelta = (heard: Delta | Whole): heard is Delta => !isWhole(heard);

const toDelta = (turn: Turn, event: Delta): Step => {
  const item_id = event.itemId;
  switch (event.kind) {
    case 'text':
      return tell(turn, { type: 'agent_message_delta', delta: event.delta, item_id });
    case 'reasoning':
      return tell(turn, { type: 'agent_reasoning_delta', delta: event.delta, item_id });
    case 'rawReasoning':
      return tell(turn, { type: 'agent_reasoning_raw_content_delta', delta: event.delta, item_id });
    case 'reasoningBreak':
      return tell(turn, { type: 'agent_reasoning_section_break', item_id });
  }
};

const toSteps = (deps: SampleDeps, turn: Turn, heard: Whole): Observable<Step> => {
  switch (heard.kind) {
    case 'broken':
      return of(heard);
    case 'completed':
      return heard.usage === null ? EMPTY : of({ kind: 'usage', usage: heard.usage });
    case 'item': {
      const { item } = heard;
      const told = of<Step[]>(...toEvents(turn, item), { kind: 'item', item });
      return item.type === 'function_call'
        ? concat(
            told,
            defer(() => runCall(deps)(turn, item)),
          )
        : told;
    }
  }
};

const toEvents = (turn: Turn, item: ResponseItem): Step[] => {
  if (item.type === 'message') return textsOf(item).map((message) => tell(turn, { type: 'agent_message', message }));
  if (item.type !== 'reasoning') return [];
  return [
    ...item.summary.map(({ text }) => tell(turn, { type: 'agent_reasoning', text })),
    ...(turn.thread.config.showRawReasoning ? (item.content ?? []) : []).map(({ text }) =>
      tell(turn, { type: 'agent_reasoning_raw_content', text }),
    ),
  ];
};

const textsOf = (item: ResponseItem): string[] =>
  item.type === 'message' ? item.content.flatMap((part) => (part.type === 'output_text' ? [part.text] : [])) : [];

/** What an answer came to: `called` once there was a call, so that the model must hear of it; `said` its last message. */
type Sum = { called: boolean; said: string | null; usage?: TokenUsage; error?: ModelError };

const sumUp = (sum: Sum, step: Step): Sum => {
  if (step.kind === 'broken') return { ...sum, error: step.error };
  if (step.kind === 'usage') return { ...sum, usage: step.usage };
  if (step.kind !== 'item') return sum;
  if (step.item.type === 'function_call') return { ...sum, called: true };
  return { ...sum, said: textsOf(step.item).at(-1) ?? sum.said };
};

/** The cost of an answer is told once its calls are done, as it always was. */
const next = (deps: SampleDeps, turn: Turn, { attempt }: Sample, sum: Sum): Observable<Step> => {
  const { called, said, usage, error } = sum;
  if (error) return afterBreak(deps, turn, { kind: 'sample', attempt: attempt + 1, said }, error);
  const last: Step = called
    ? { kind: 'sample', attempt: 0, said }
    : tell(turn, { type: 'task_complete', last_agent_message: said });
  return usage ? of(tell(turn, { type: 'token_count', ...usage }), last) : of(last);
};

/** Asks again with all that was done so far, after a pause that doubles; or gives up with the model's own words. */
const afterBreak = (
  deps: SampleDeps,
  turn: Turn,
  again: Sample,
  { retryable, message }: ModelError,
): Observable<Step> => {
  const max = turn.thread.config.provider.streamMaxRetries;
  if (!retryable || again.attempt > max) return of(...fail(turn, message));
  const delayMs = Math.round(200 * 2 ** (again.attempt - 1) * (0.9 + 0.2 * deps.random()));
  const news = `stream error: ${message}; retrying ${again.attempt}/${max} in ${delayMs}ms…`;
  return concat(of(tell(turn, { type: 'stream_error', message: news })), timer(delayMs).pipe(map(() => again)));
};
