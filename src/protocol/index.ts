export {
  APPROVAL_POLICIES,
  type ApprovalPolicy,
  DECISIONS,
  type Duration,
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
  type Verdict,
} from './codex';
export type { OutputStream, ProcessEvent, ProcessSpec } from './exec';
export { isObject, type Json, type JsonObject, type JsonSchema } from './json';
export {
  type ContentPart,
  type FunctionCall,
  type Model,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type ResponseItem,
  type TokenUsage,
  type ToolSpec,
} from './model';
