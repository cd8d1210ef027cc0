/** Owns what goes to a model and what comes back, whatever the wire dialect; knows no HTTP. */
import type { Observable } from 'rxjs';
import type { JsonSchema } from './json';

/** The dialects in which a model can be asked. */
export const WIRE_APIS = ['responses', 'chat', 'scripted'] as const;
export type WireApi = (typeof WIRE_APIS)[number];

/** How a model provider is reached. Times in milliseconds; `script` is the absolute path of a scripted provider's answers. */
export type Provider = {
  id: string;
  name: string;
  wireApi: WireApi;
  baseUrl?: string;
  envKey?: string;
  envKeyInstructions?: string;
  queryParams: Record<string, string>;
  httpHeaders: Record<string, string>;
  envHttpHeaders: Record<string, string>;
  requestMaxRetries: number;
  streamMaxRetries: number;
  streamIdleTimeoutMs: number;
  requiresOpenaiAuth: boolean;
  script?: string;
};

export type ContentPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string }
  | { type: 'output_text'; text: string };

/** A function call the model asks for; `arguments` is JSON text as the model wrote it. */
export type FunctionCall = {
  type: 'function_call';
  id?: string | null;
  name: string;
  arguments: string;
  call_id: string;
};

/**
 * One entry of a conversation, in the names of the Responses API.
 * Source: Codex 0.28.0, bodies of POST /responses.
 */
export type ResponseItem =
  | { type: 'message'; id?: string | null; role: string; content: ContentPart[] }
  | {
      type: 'reasoning';
      id: string;
      summary: { type: 'summary_text'; text: string }[];
      content?: { type: string; text: string }[] | null;
      encrypted_content?: string | null;
    }
  | FunctionCall
  | { type: 'function_call_output'; call_id: string; output: string };

/** A tool offered to the model. `parameters` is the JSON Schema of its arguments. */
export type ToolSpec = {
  type: 'function';
  name: string;
  description: string;
  strict: boolean;
  parameters: JsonSchema;
};

/** One sampling: the whole conversation so far and what the model may do next. */
export type ModelRequest = {
  threadId: string;
  model: string;
  instructions: string;
  input: ResponseItem[];
  tools: ToolSpec[];
  reasoning: { effort: string; summary: string } | null;
  store: boolean;
  verbosity?: string;
};

/** Tokens of one response, not a running sum; null where the provider is silent about a part. */
export type TokenUsage = {
  input_tokens: number;
  cached_input_tokens: number | null;
  output_tokens: number;
  reasoning_output_tokens: number | null;
  total_tokens: number;
};

/**
 * What a model says while it answers. `item` comes once per finished item, `completed` once, last.
 * `itemId` is the id of the item a delta belongs to, '' where the dialect has none.
 */
export type ModelEvent =
  | { kind: 'text'; itemId: string; delta: string }
  | { kind: 'reasoning'; itemId: string; delta: string }
  | { kind: 'reasoningBreak'; itemId: string }
  | { kind: 'rawReasoning'; itemId: string; delta: string }
  | { kind: 'item'; item: ResponseItem }
  | { kind: 'completed'; responseId: string; usage: TokenUsage | null };

/**
 * Asks a model once.
 * Emits events, completes after `completed`; errors with ModelError. Unsubscribing aborts the request.
 */
export type Model = (request: ModelRequest) => Observable<ModelEvent>;

/** A model could not answer; `retryable` tells whether the same question may be put again. */
export class ModelError extends Error {
  override name = 'ModelError';
  constructor(
    message: string,
    readonly retryable: boolean,
  ) {
    super(message);
  }
}
