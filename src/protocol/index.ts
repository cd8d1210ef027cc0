export { checkParams, faultsOf } from './check';
export { decodeMessage, encodeMessage } from './codec';
export {
  type Agent,
  APPROVAL_POLICIES,
  type ApprovalPolicy,
  type Ask,
  DECISIONS,
  type Duration,
  type Engine,
  type Event,
  type EventMsg,
  isLast,
  type Op,
  type ParsedCommand,
  type PlanStep,
  type ReviewDecision,
  SANDBOX_MODES,
  type SandboxMode,
  type ThreadRef,
  type ThreadSettings,
  type Told,
  type TurnOp,
  type Verdict,
} from './codex';
export type { OutputStream, ProcessEvent, ProcessSpec } from './exec';
export { isObject, type Json, type JsonObject, type JsonSchema } from './json';
export {
  type Batch,
  type Fault,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  idKey,
  METHOD_NOT_FOUND,
  type Message,
  type MessageBatch,
  type Notification,
  type Outgoing,
  PARSE_ERROR,
  type Request,
  type RequestId,
  type Response,
  RpcError,
  type RpcErrorObject,
  type Silence,
  toErrorObject,
} from './jsonrpc';
export { lazily } from './lazily';
export {
  BATCH_VERSION,
  type CallToolResult,
  canElicit,
  LEGACY_VERSIONS,
  MCP_LOG_LEVELS,
  type McpLogLevel,
  META_CAPABILITIES,
  META_LOG_LEVEL,
  META_SERVER_INFO,
  META_SUBSCRIPTION,
  META_VERSION,
  MODERN_VERSION,
  NEWEST_LEGACY,
  SUPPORTED_VERSIONS,
  type Tool,
  UNSUPPORTED_VERSION,
} from './mcp';
export { CallToolParams, InitializeParams, ListenParams, ListParams, SetLevelParams } from './mcpParams';
export {
  type ContentPart,
  type FunctionCall,
  type Model,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type Provider,
  type ResponseItem,
  type TokenUsage,
  type ToolSpec,
  WIRE_APIS,
  type WireApi,
} from './model';
export { rawMember } from './rawMember';
export { toJson } from './toJson';
export { CodexArguments, CodexReplyArguments } from './toolArguments';
