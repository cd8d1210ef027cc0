export type { Ask, Engine } from './agent';
export { DECISIONS, type ReviewDecision, type ReviewResult } from './approval';
export type {
  Duration,
  EventMsg,
  FileChange,
  FileChanges,
  ParsedCommand,
  PlanStep,
  ToolInvocation,
} from './eventMsg';
export { type CodexEvent, type DeltaEvents, type Event, isLast } from './events';
export { isCodexMethod } from './methodNames';
export type { Op, ThreadRef, TurnOp } from './operations';
export { toSandboxSettings } from './sandboxPolicy';
export {
  APPROVAL_POLICIES,
  type ApprovalPolicy,
  SANDBOX_MODES,
  type SandboxMode,
  type ThreadSettings,
} from './settings';
export { CodexArguments, CodexReplyArguments } from './toolArguments';
export { toUuid } from './toUuid';
export { FileSearchParams, GitDiffParams, OneOffCommandParams } from './workspaceParams';
