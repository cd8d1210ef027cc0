/** Names and shapes of the Model Context Protocol that all revisions share; `params.ts` checks them. */
import type { JsonObject } from '../jsonrpc/json';

/** Revisions that open with `initialize`, oldest first. Source: modelcontextprotocol.io, specification folders. */
export const LEGACY_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
/** The newest of them. */
export const NEWEST_LEGACY = '2025-11-25';
/** The revision without a handshake: every request carries what it needs in `_meta`. */
export const MODERN_VERSION = '2026-07-28';
/** All revisions that are served, oldest first. */
export const SUPPORTED_VERSIONS = [...LEGACY_VERSIONS, MODERN_VERSION] as const;
/** The one revision in which a line may hold several messages. Source: 2025-03-26 basic "Batching". */
export const BATCH_VERSION = '2025-03-26';

const META = 'io.modelcontextprotocol/';
/** The key of `_meta` with the revision that a request follows, since 2026-07-28. */
export const META_VERSION = `${META}protocolVersion`;
/** The key of `_meta` with the capabilities of the client. */
export const META_CAPABILITIES = `${META}clientCapabilities`;
/** The key of `_meta` with the name and the version of the client. */
export const META_CLIENT_INFO = `${META}clientInfo`;
/** The key of `_meta` with the minimum level of the log records that are sent for a request. */
export const META_LOG_LEVEL = `${META}logLevel`;
/** The key of `_meta` with the name and the version of the server, in results. */
export const META_SERVER_INFO = `${META}serverInfo`;
/** The key of `_meta` with the id of the subscription that a notification belongs to. */
export const META_SUBSCRIPTION = `${META}subscriptionId`;

/** Source: 2026-07-28 schema, MissingRequiredClientCapabilityError. */
export const MISSING_CAPABILITY = -32021;

/** Source: 2026-07-28 schema, UnsupportedProtocolVersionError. */
export const UNSUPPORTED_VERSION = -32022;

/** RFC 5424 severities, mildest first. */
export const MCP_LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
/** One of these levels. */
export type McpLogLevel = (typeof MCP_LOG_LEVELS)[number];

/** The result of a tool call. Source: schema CallToolResult. */
export type CallToolResult = {
  content: ({ type: 'text'; text: string } | { type: 'resource_link'; uri: string; name: string; mimeType: string })[];
  structuredContent?: JsonObject;
  isError?: boolean;
};

/** A tool as `tools/list` shows it. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  annotations?: JsonObject;
};

/** True when a client that declared these capabilities can be shown a form. An empty object means form. */
export const canElicit = (capabilities: JsonObject): boolean => {
  const elicitation = capabilities.elicitation;
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || !('url' in elicitation);
};

/** What the model of such a client can be asked for; undefined if nothing. Source: MCP 2025-11-25 client/sampling; no tools before. */
export const canSample = ({ sampling }: JsonObject): 'text' | 'tools' | undefined => {
  if (typeof sampling !== 'object' || sampling === null) return undefined;
  return 'tools' in sampling ? 'tools' : 'text';
};
