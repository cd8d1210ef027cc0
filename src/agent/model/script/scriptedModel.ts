/** The embedded provider: a model that reads its answers from a file, and plays them. */
import {
  concat,
  concatMap,
  defer,
  delay,
  EMPTY,
  from,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  type Observable,
  of,
  switchMap,
  take,
  throwError,
  timer,
} from 'rxjs';
import { RpcError } from '../../../protocol/jsonrpc/messages';
import type { ModelEvent, TokenUsage } from '../../../protocol/model/events';
import type { ResponseItem } from '../../../protocol/model/items';
import { type Model, ModelError } from '../../../protocol/model/model';
import type { Provider } from '../../../protocol/model/provider';
import type { Backpressure } from '../../../streams/backpressure';
import { lazy } from '../../../streams/lazy';
import { scanInTurn } from '../../../streams/scanInTurn';
import { MAX_TIMER_MS } from '../../../streams/time/wait';
import { idleFailure, streamFailure } from '../../modelHttp/failures';
import { findStep, type PlaybackStep } from './findStep';
import type { Fault, Script, ScriptItem, ScriptStep, ScriptUsage } from './scriptSchema';

export type ScriptDeps = {
  /** Reads a text file; throws if it cannot be read. */
  readFile: (path: string) => string;
  /** Of the queue to the client. */
  backpressure: Backpressure;
};

/**
 * A model that plays `provider.script`, read at the first request.
 * Emits the events of the matching step; errors with ModelError for a fault of the script, or when the script cannot be used; with RpcError for an
 * `rpcError`.
 */
export const scriptedModel =
  ({ readFile, backpressure }: ScriptDeps) =>
  (provider: Provider): Model => {
    const script = lazy(() => readScript(readFile, provider));
    const played = new Map<string, number>(); // how often each thread met each fault
    return (request) =>
      defer(() => {
        const playback = findStep(script(), request);
        const { fault, faultTimes = Number.POSITIVE_INFINITY } = playback.step;
        const key = JSON.stringify([request.threadId, playback.place]);
        const times = played.get(key) ?? 0;
        if (fault !== undefined) played.set(key, times + 1);
        return playStep(
          { backpressure, idleMs: provider.streamIdleTimeoutMs },
          playback,
          times < faultTimes ? fault : undefined,
        );
      });
  };

const readScript = (readFile: ScriptDeps['readFile'], { id, script }: Provider) => {
  if (script === undefined)
    throw new ModelError(
      `The model provider "${id}" has no script. Set script under [model_providers.${id}] to the path of one.`,
      false,
    );
  return parseScript(script, readText(readFile, script));
};

const readText = (readFile: ScriptDeps['readFile'], path: string): string => {
  try {
    return readFile(path);
  } catch (error) {
    throw new ModelError(`The script ${path} cannot be read: ${(error as Error).message}`, false);
  }
};

/** The check needs zod, which is slow to load: other models do without it. */
const schema = lazy(() => require('./scriptSchema') as typeof import('./scriptSchema'));

/**
 * Reads a script. Throws ModelError, not retryable, with the place in the document and what is wrong there.
 * @param path used in error texts only
 */
export const parseScript = (path: string, text: string): Script => {
  const read = schema().checkScript(toValue(path, text));
  if ('script' in read) return read.script;
  const faults = read.faults.map((fault) => `${toPlace(fault.path)}: ${fault.message}`);
  throw new ModelError(`The script ${path} cannot be used: ${faults.join('; ')}`, false);
};

const toValue = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ModelError(`The script ${path} is not JSON: ${(error as Error).message}`, false);
  }
};

/** ['scenes', 0, 'when'] as scenes[0].when */
const toPlace = (path: PropertyKey[]): string =>
  path.reduce<string>((place, key) => {
    if (typeof key === 'number') return `${place}[${key}]`;
    return place === '' ? String(key) : `${place}.${String(key)}`;
  }, '') || 'the document';

type PlayDeps = {
  /** Of the queue to the client. */
  backpressure: Backpressure;
  /** After which a hang becomes an error, as with a real server; 0 for never. */
  idleMs: number;
};

/**
 * Plays a step: its delay, its items with their deltas, then its fault or `completed`. It waits for a slow client.
 * @param fault replaces the completion; undefined for none
 *   out t-t-i-(C|)   (deltaDelayMs between t)
 */
export const playStep = (
  { backpressure, idleMs }: PlayDeps,
  playback: PlaybackStep,
  fault: Fault | undefined,
): Observable<ModelEvent> =>
  concat(
    concat(wait(playback.step.delayMs), ...toPlays(playback)).pipe(waitForClient(backpressure)),
    fault === undefined ? playEnd(playback) : playFault(fault, idleMs),
  );

const wait = (ms = 0): Observable<never> => (ms > 0 ? timer(ms).pipe(ignoreElements()) : EMPTY);

const playEnd = ({ made, step }: PlaybackStep): Observable<ModelEvent> =>
  of({ kind: 'completed', responseId: `resp_${made}`, usage: step.usage ? toUsage(step.usage) : null });

const toUsage = (usage: ScriptUsage): TokenUsage => ({
  input_tokens: usage.input_tokens,
  cached_input_tokens: usage.cached_input_tokens ?? null,
  output_tokens: usage.output_tokens,
  reasoning_output_tokens: usage.reasoning_output_tokens ?? null,
  total_tokens: usage.total_tokens ?? usage.input_tokens + usage.output_tokens,
});

const playFault = (fault: Fault, idleMs: number): Observable<never> => {
  if (fault === 'cut') return throwError(() => streamFailure('stream closed before response.completed'));
  if (fault === 'hang') {
    return timer(idleMs > 0 ? idleMs : MAX_TIMER_MS).pipe(concatMap(() => throwError(idleFailure)));
  }
  if ('error' in fault) return throwError(() => new ModelError(fault.error, fault.retryable ?? false));
  return throwError(() => new RpcError(fault.rpcError.code, fault.rpcError.message));
};

/** Only items that the conversation keeps are numbered, so that no id occurs twice in a thread. */
const toPlays = (playback: PlaybackStep): Observable<ModelEvent>[] => {
  const kept = playback.step.items.filter((item) => !('delayMs' in item));
  return playback.step.items.map((item) =>
    'delayMs' in item
      ? wait(item.delayMs)
      : spaced(toEvents(item, playback, playback.made + kept.indexOf(item)), playback.step.deltaDelayMs),
  );
};

const spaced = (events: ModelEvent[], ms: ScriptStep['deltaDelayMs'] = 0): Observable<ModelEvent> =>
  ms > 0
    ? from(events).pipe(concatMap((event) => ('delta' in event ? of(event).pipe(delay(ms)) : of(event))))
    : from(events);

const toEvents = (item: Exclude<ScriptItem, { delayMs: number }>, playback: PlaybackStep, n: number): ModelEvent[] => {
  if ('text' in item) {
    const id = `msg_${n}`;
    const text = fill(item.text, playback);
    const pieces = Array.isArray(item.deltas)
      ? item.deltas.map((delta) => fill(delta, playback))
      : cut(text, item.deltas);
    return [
      ...toDeltas('text', id, pieces),
      toItem({ type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text }] }),
    ];
  }
  if ('reasoning' in item) {
    const id = `rs_${n}`;
    const parts = item.reasoning.map((part) => fill(part, playback));
    const summary = parts.map((text) => ({ type: 'summary_text' as const, text }));
    const events = parts.flatMap((part): ModelEvent[] => [
      { kind: 'reasoningBreak', itemId: id },
      ...toDeltas('reasoning', id, cut(part, item.deltas)),
    ]);
    return [...events, toItem({ type: 'reasoning', id, summary, encrypted_content: null })];
  }
  const args = typeof item.args === 'string' ? item.args : JSON.stringify(item.args);
  return [toItem({ type: 'function_call', name: item.call, arguments: args, call_id: item.id ?? `call_${n}` })];
};

const toItem = (item: ResponseItem): ModelEvent => ({ kind: 'item', item });

const toDeltas = (kind: 'text' | 'reasoning', itemId: string, pieces: string[]): ModelEvent[] =>
  pieces.map((delta) => ({ kind, itemId, delta }));

const fill = (text: string, { prompt, output }: PlaybackStep): string =>
  text.replace(/\{\{(prompt|output)\}\}/g, (_, name) => (name === 'prompt' ? prompt : output));

/** Cuts into `count` pieces of about the same length, never inside a character. */
const cut = (text: string, count = 1): string[] => {
  if (count === 0 || text === '') return [];
  const letters = [...text];
  const size = Math.ceil(letters.length / count);
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, at) =>
    letters.slice(at * size, (at + 1) * size).join(''),
  );
};

/** How much is emitted in one turn of the event loop, in which nothing is written: characters, and a fixed cost per event. */
const BURST = 65_536;
const EVENT_COST = 256;

type State = { left: number; event: ModelEvent | undefined };

/**
 * Emits the events in bursts. After a burst the queue to the client is checked: while it is full, the rest waits.
 *   in     (abcd|)        (a burst is a and b, and fills the queue)
 *   drain  ---d
 *   out    (ab)-(cd|)
 */
export const waitForClient =
  (backpressure: Backpressure): MonoTypeOperatorFunction<ModelEvent> =>
  (event$) =>
    event$.pipe(
      scanInTurn(
        ({ left }: State, event) => {
          const next = { left: left - costOf(event), event };
          return left > 0 ? next : nextBurst(backpressure).pipe(map(() => ({ ...next, left: BURST - costOf(event) })));
        },
        { left: BURST, event: undefined },
      ),
      map(({ event }) => event as ModelEvent),
    );

const costOf = (event: ModelEvent): number => EVENT_COST + ('delta' in event ? event.delta.length : 0);

/** What was emitted is written at the end of this turn. */
const nextBurst = ({ isFull, drain$ }: Backpressure): Observable<unknown> =>
  timer(0).pipe(switchMap(() => (isFull() ? drain$.pipe(take(1)) : of(0))));
