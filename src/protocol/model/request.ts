/** A request to a model, whatever the wire API. */
import type { JsonSchema } from '../jsonrpc/json';
import type { ResponseItem } from './items';

/** A function offered to the model. `parameters` is the JSON Schema of its arguments. */
export type FunctionSpec = {
  type: 'function';
  name: string;
  description: string;
  strict: boolean;
  parameters: JsonSchema;
};

/** A tool offered to the model: a function, or a tool that models know by its type; the provider runs a search itself. */
export type ToolSpec = FunctionSpec | { type: 'local_shell' | 'web_search_preview' };

/** One request for an answer: the whole conversation so far and what the model may do next. */
export type ModelRequest = {
  threadId: string;
  model: string;
  instructions: string;
  /** The conversation so far. */
  input: ResponseItem[];
  /** What the model may call. */
  tools: ToolSpec[];
  /** How much it reasons, and what is shown of that; null for a model without reasoning. */
  reasoning: { effort: string; summary: string } | null;
  /** Whether the provider stores the response. */
  store: boolean;
  /** How long the answer is; absent for a model that has no such choice. */
  verbosity?: string;
  /** How fast the provider answers, in its own word; absent for its default. */
  serviceTier?: string;
  /** Most tokens of the answer; absent if only the model's own limit counts. */
  maxOutputTokens?: number;
};
