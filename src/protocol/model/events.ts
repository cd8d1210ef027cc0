/** What a model emits while it answers, whatever the wire API. */
import type { ResponseItem } from './items';

/** Tokens of one response, not a running sum; null for a part that the provider does not report. */
export type TokenUsage = {
  input_tokens: number;
  cached_input_tokens: number | null;
  output_tokens: number;
  reasoning_output_tokens: number | null;
  total_tokens: number;
};

/**
 * What a model emits while it answers. `item` comes once per finished item; `completed` comes once, last.
 * `search`: the provider is searching the web; with `query`, it has finished. `unknown`: an item of an unknown type, or one that cannot be
 * read. `nothing`: the answer ends, and it was empty.
 * `deltas` are several that arrived together, in order: they pass through the engine as one.
 */
export type ModelEvent =
  | ModelDelta
  | { kind: 'deltas'; deltas: readonly ModelDelta[] }
  | { kind: 'item'; item: ResponseItem }
  | { kind: 'search'; callId: string; query?: string }
  | { kind: 'unknown'; type: string }
  | { kind: 'nothing' }
  | { kind: 'completed'; responseId: string; usage: TokenUsage | null };

/** A part of an item that is still being produced. `itemId` is the id of the item, '' where the dialect has none. */
export type ModelDelta =
  | { kind: 'text'; itemId: string; delta: string }
  | { kind: 'reasoning'; itemId: string; delta: string }
  | { kind: 'reasoningBreak'; itemId: string }
  | { kind: 'rawReasoning'; itemId: string; delta: string };

/** True for a single delta. */
export const isModelDelta = (event: ModelEvent): event is ModelDelta =>
  event.kind === 'text' ||
  event.kind === 'reasoning' ||
  event.kind === 'rawReasoning' ||
  event.kind === 'reasoningBreak';
