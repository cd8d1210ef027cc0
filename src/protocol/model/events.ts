/** What a model emits while it answers, whatever the wire API. */
import type { ResponseItem } from './items';

/** Tokens of one response, not a running sum; null where the provider is silent about a part. */
export type TokenUsage = {
  input_tokens: number;
  cached_input_tokens: number | null;
  output_tokens: number;
  reasoning_output_tokens: number | null;
  total_tokens: number;
};

/**
 * What a model emits while it answers. `item` comes once per finished item, `completed` once, last.
 * `search`: the provider searches the web; with `query` it has. `unknown`: an item of a type that is not known, or that cannot be read. `nothing`: the
 * answer ends, and there was nothing in it.
 * `deltas` are some that arrived together, in their order: they pass through the engine as one.
 */
export type ModelEvent =
  | ModelDelta
  | { kind: 'deltas'; deltas: readonly ModelDelta[] }
  | { kind: 'item'; item: ResponseItem }
  | { kind: 'search'; callId: string; query?: string }
  | { kind: 'unknown'; type: string }
  | { kind: 'nothing' }
  | { kind: 'completed'; responseId: string; usage: TokenUsage | null };

/** A part of an item that is still being made. `itemId` is the id of the item, '' where the dialect has none. */
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
