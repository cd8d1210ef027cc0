/** How a model provider is reached. */

/** The dialects in which a model can be asked; `client`: the MCP client asks a model of its own. */
export const WIRE_APIS = ['responses', 'chat', 'scripted', 'client'] as const;
/** The API that a model provider speaks. */
export type WireApi = (typeof WIRE_APIS)[number];

/**
 * How a model provider is reached. Times in milliseconds, 0 for no limit. `maxRetries`: for one answer, requests and broken streams
 * together. `originator`: the sender that a request names. `answerTimeoutMs`: for one answer with all its retries. `script`: the
 * absolute path of a scripted provider's answers.
 */
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
  maxRetries: number;
  connectTimeoutMs: number;
  answerTimeoutMs: number;
  streamIdleTimeoutMs: number;
  requiresOpenaiAuth: boolean;
  originator?: string;
  script?: string;
};
