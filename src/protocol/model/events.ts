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

/** What a model emits while it answers. */
export type ModelEvent =
  | ModelDelta

  /** Several deltas that arrived together, in order: they pass through the engine as one. */
  | { kind: 'deltas'; deltas: readonly ModelDelta[] }

  /** Once per finished item. */
  | { kind: 'item'; item: ResponseItem }

  /** The provider is searching the web; with `query`, it has finished. */
  | { kind: 'search'; callId: string; query?: string }

  /** An item of an unknown type, or an unreadable item. */
  | { kind: 'unknown'; type: string }

  /** The answer ends, and it was empty. */
  | { kind: 'nothing' }

  /** Once, last. */
  | { kind: 'completed'; responseId: string; usage: TokenUsage | null };

/** A part of an item that is still being produced. `itemId` is the id of the item, '' if the dialect has none. */
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
