/** The door of MCP: names, revisions, params. */
export {
  BATCH_VERSION,
  type CallToolResult,
  canElicit,
  canSample,
  LEGACY_VERSIONS,
  MCP_LOG_LEVELS,
  type McpLogLevel,
  META_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_SERVER_INFO,
  META_SUBSCRIPTION,
  META_VERSION,
  MISSING_CAPABILITY,
  MODERN_VERSION,
  NEWEST_LEGACY,
  SUPPORTED_VERSIONS,
  type Tool,
  UNSUPPORTED_VERSION,
} from './mcp';
export { CallToolParams, InitializeParams, ListenParams, ListParams, SetLevelParams } from './params';
