/** How a model provider is reached. */

/** The dialects in which a model can be asked; `client`: the MCP client asks a model of its own. */
export const WIRE_APIS = ['responses', 'chat', 'scripted', 'client'] as const;
/** The API that a model provider speaks. */
type WireApi = (typeof WIRE_APIS)[number];

/** How a model provider is reached. Times in milliseconds, 0 for no limit. */
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
  /** For one answer, requests and broken streams together. */
  maxRetries: number;
  connectTimeoutMs: number;
  /** For one answer with all its retries. */
  answerTimeoutMs: number;
  streamIdleTimeoutMs: number;
  requiresOpenaiAuth: boolean;
  /** The sender that a request names. */
  originator?: string;
  /** The absolute path of a scripted provider's answers. */
  script?: string;
};
