/** Owns one answer of the model: its words become events, its calls run beside each other while it still speaks. */
import { catchError, concat, concatMap, connect, filter, map, merge, mergeMap, type Observable, of, timer } from 'rxjs';
import { ModelError, type ModelEvent, type ResponseItem } from '../protocol';
import { followedBy } from '../streams';
import { toRequest } from './context';
import { type CallDeps, runCall } from './runCall';
import { record, type Sample, type Step, type Turn, tell } from './step';

export type SampleDeps = CallDeps & { random: () => number };

/** A model that broke off is a value here, so that calls already running come to their end. */
type Heard = ModelEvent | { kind: 'broken'; error: ModelError };
type Delta = Extract<ModelEvent, { delta: string } | { kind: 'reasoningBreak' }>;

/**
 * One sampling: events and records, then the next sample, or the end of the turn.
 *   model  -d-c---z|       (d text, c a call, z completed)
 *   out    -D-B-E-U(S|)    (B, E the command, U usage, S the next sample)
 * Source: Codex 0.28.0, CORE 5.2; there calls ran one after another, and were forgotten when the stream broke.
 */
export const sampleOnce =
  (deps: SampleDeps) =>
  (turn: Turn, sample: Sample): Observable<Step> => {
    const { id, config, model } = turn.thread;
    return hear(model(toRequest(id, config, sample.history))).pipe(
      connect((heard$) =>
        merge<Heeded[]>(
          heard$.pipe(
            filter(isDelta),
            map((delta) => toDelta(turn, delta)),
          ),
          heard$.pipe(
            filter((heard) => !isDelta(heard)),
            mergeMap((heard) => toSteps(deps, turn, heard as Exclude<Heard, Delta>)),
          ),
        ),
      ),
      followedBy<Heeded, Sum>(sumUp, outset(sample), (sum) => next(deps, turn, sample, sum)),
      filter((step) => step.kind !== 'broken'),
    );
  };

const hear = (event$: Observable<ModelEvent>): Observable<Heard> =>
  event$.pipe(catchError((error: unknown) => of({ kind: 'broken' as const, error: toModelError(error) })));

const isDelta = (heard: Heard): heard is Delta => 'delta' in heard || heard.kind === 'reasoningBreak';

const toModelError = (error: unknown): ModelError => {
  if (error instanceof ModelError) return error;
  throw error;
};

const toDelta = (turn: Turn, event: Delta): Heeded => {
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

type Heeded = Step | Extract<Heard, { kind: 'broken' }>;

const toSteps = (deps: SampleDeps, turn: Turn, heard: Exclude<Heard, Delta>): Observable<Heeded> => {
  switch (heard.kind) {
    case 'broken':
      return of(heard);
    case 'completed':
      return heard.usage === null ? of() : of(tell(turn, { type: 'token_count', ...heard.usage }));
    case 'item': {
      const { item } = heard;
      const told = of(...toEvents(turn, item), record(item));
      return item.type === 'function_call' ? concat(told, runCall(deps)(turn, item)) : told;
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

/** What an answer came to. `called` is set once a call was answered, so the model must hear of it. */
type Sum = { items: ResponseItem[]; called: boolean; said: string | null; error?: ModelError };

const outset = ({ said }: Sample): Sum => ({ items: [], called: false, said });

const sumUp = (sum: Sum, step: Heeded): Sum => {
  if (step.kind === 'broken') return { ...sum, error: step.error };
  if (step.kind !== 'record') return sum;
  return {
    ...sum,
    items: [...sum.items, step.item],
    called: sum.called || step.item.type === 'function_call',
    said: textsOf(step.item).at(-1) ?? sum.said,
  };
};

const next = (deps: SampleDeps, turn: Turn, sample: Sample, sum: Sum): Observable<Step> => {
  const { said } = sum;
  const history = [...sample.history, ...inOrder(sum.items)];
  if (sum.error)
    return afterBreak(deps, turn, { kind: 'sample', history, attempt: sample.attempt + 1, said }, sum.error);
  if (sum.called) return of({ kind: 'sample', history, attempt: 0, said });
  return of(tell(turn, { type: 'task_complete', last_agent_message: said }));
};

/** What the model said comes before what came of it, however fast a call was; the next answer hears of it as one round. */
const inOrder = (items: ResponseItem[]): ResponseItem[] => [
  ...items.filter(({ type }) => type !== 'function_call_output'),
  ...items.filter(({ type }) => type === 'function_call_output'),
];

/** Asks again with all that was done so far, after a pause that doubles; or gives up with the model's own words. */
const afterBreak = (
  deps: SampleDeps,
  turn: Turn,
  again: Sample,
  { retryable, message }: ModelError,
): Observable<Step> => {
  const max = turn.thread.config.provider.streamMaxRetries;
  if (!retryable || again.attempt > max) {
    return of(tell(turn, { type: 'error', message }), tell(turn, { type: 'task_complete', last_agent_message: null }));
  }
  const delayMs = Math.round(200 * 2 ** (again.attempt - 1) * (0.9 + 0.2 * deps.random()));
  const news = `stream error: ${message}; retrying ${again.attempt}/${max} in ${delayMs}ms…`;
  return concat(
    of(tell(turn, { type: 'stream_error', message: news })),
    timer(delayMs).pipe(concatMap(() => of(again))),
  );
};
