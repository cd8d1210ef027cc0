/** The door of the protocol between engine and server: operations, events, approvals. */
export { DECISIONS, type ReviewDecision, type ReviewResult } from './approval';
export type { Ask, Engine } from './engine';
export type { Duration, EventMsg, ParsedCommand, PlanStep, ToolInvocation } from './eventMsg';
export { type CodexEvent, type DeltaEvents, type Event, endsTurn, isLast, type Joined, type Sampling } from './events';
export type { FileChange, FileChanges } from './fileChange';
export { textOf, toInput, type UserInput } from './input';
export type { McpStartupStatus, PatchStatus, TurnItem } from './laterMsg';
export { type ConversationMethod, isCodexMethod, isConversationMethod } from './methodNames';
export type { InterruptThreadOp, Op, Samples, ThreadOp, ThreadRef, TurnOp } from './operations';
export { toSandboxPolicy, WireSandboxPolicy } from './sandboxPolicy';
export {
  APPROVAL_POLICIES,
  type ApprovalPolicy,
  SANDBOX_MODES,
  type SandboxMode,
  type SandboxPolicy,
  type ThreadSettings,
  type TurnSettings,
  withTurnSettings,
} from './settings';
export { CodexArguments, CodexReplyArguments } from './toolArguments';
export { toUuid } from './toUuid';
