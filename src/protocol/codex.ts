/** Owns the vocabulary of a Codex conversation: settings, operations, events, approvals. */
import type { Observable } from 'rxjs';
import type { JsonObject } from './json';
import type { TokenUsage } from './model';

export const APPROVAL_POLICIES = ['untrusted', 'on-failure', 'on-request', 'never'] as const;
export type ApprovalPolicy = (typeof APPROVAL_POLICIES)[number];

export const SANDBOX_MODES = ['read-only', 'workspace-write', 'danger-full-access'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

export const DECISIONS = ['approved', 'approved_for_session', 'denied', 'abort'] as const;
export type ReviewDecision = (typeof DECISIONS)[number];

/**
 * What was decided about a question, and, where no human said so, why. `form` holds the fields that a person filled in,
 * for a question that is a form; for any other question fields it did not ask for are a no.
 */
export type Verdict = { decision: ReviewDecision; reason?: string; form?: JsonObject };

/** Settings of a new thread as a caller may give them; absent means: as configured. */
export type ThreadSettings = {
  model?: string;
  profile?: string;
  cwd?: string;
  approvalPolicy?: ApprovalPolicy;
  sandbox?: SandboxMode;
  config?: Record<string, unknown>;
  baseInstructions?: string;
  developerInstructions?: string;
  compactPrompt?: string;
  includePlanTool?: boolean;
};

/** The thread a turn belongs to: a new one, the newest of this connection, or one by id. */
export type ThreadRef = { start: ThreadSettings } | { newest: true } | { id: string };

/**
 * What an agent is told. `callId` names one call of one client and comes back in every event it causes.
 * `eventId` becomes the `id` of the events of its turn; `askable` tells whether a person can be asked.
 */
export type Op =
  | { kind: 'turn'; callId: string; eventId: string; thread: ThreadRef; prompt: string; askable: boolean }
  | { kind: 'interrupt'; callId: string };

export type TurnOp = Extract<Op, { kind: 'turn' }>;

export type ParsedCommand =
  | { type: 'read'; cmd: string; name: string }
  | { type: 'list_files'; cmd: string; path: string | null }
  | { type: 'search'; cmd: string; query: string | null; path: string | null }
  | { type: 'unknown'; cmd: string };

export type PlanStep = { step: string; status: 'pending' | 'in_progress' | 'completed' };
export type Duration = { secs: number; nanos: number };

/** What becomes of one file; `unified_diff` holds hunks without a header of the file. */
export type FileChange =
  | { add: { content: string } }
  | { delete: { content: string } }
  | { update: { unified_diff: string; move_path: string | null } };
/** By absolute path. */
export type FileChanges = Record<string, FileChange>;

export type ToolInvocation = { server: string; tool: string; arguments: unknown };

/**
 * What an agent tells, in the shapes of `codex/event` `msg`. `chunk` is raw bytes; how they go out is the server's choice.
 * Source: Codex 0.28.0 and 0.142.0, tapes of `codex/event`.
 */
export type EventMsg =
  | {
      type: 'session_configured';
      session_id: string;
      model: string;
      model_provider_id: string;
      approval_policy: ApprovalPolicy;
      sandbox_mode: SandboxMode;
      cwd: string;
      history_log_id: number;
      history_entry_count: number;
    }
  | { type: 'task_started'; model_context_window: number | null }
  | { type: 'task_complete'; last_agent_message: string | null }
  | { type: 'turn_aborted'; reason: 'interrupted' | 'replaced' }
  | { type: 'error'; message: string }
  | { type: 'stream_error'; message: string }
  | { type: 'background_event'; message: string }
  | ({ type: 'token_count' } & TokenUsage)
  | { type: 'agent_message_delta'; delta: string; item_id: string }
  | { type: 'agent_message'; message: string }
  | { type: 'agent_reasoning_delta'; delta: string; item_id: string }
  | { type: 'agent_reasoning_section_break'; item_id: string }
  | { type: 'agent_reasoning'; text: string }
  | { type: 'agent_reasoning_raw_content_delta'; delta: string; item_id: string }
  | { type: 'agent_reasoning_raw_content'; text: string }
  | { type: 'exec_approval_request'; call_id: string; command: readonly string[]; cwd: string; reason?: string }
  | {
      type: 'exec_command_begin';
      call_id: string;
      command: readonly string[];
      cwd: string;
      parsed_cmd: ParsedCommand[];
    }
  | { type: 'exec_command_output_delta'; call_id: string; stream: 'stdout' | 'stderr'; chunk: Uint8Array }
  | {
      type: 'exec_command_end';
      call_id: string;
      stdout: string;
      stderr: string;
      aggregated_output: string;
      exit_code: number;
      duration: Duration;
      formatted_output: string;
    }
  | {
      type: 'apply_patch_approval_request';
      call_id: string;
      changes: FileChanges;
      reason?: string;
      grant_root?: string;
    }
  | { type: 'patch_apply_begin'; call_id: string; auto_approved: boolean; changes: FileChanges }
  | { type: 'patch_apply_end'; call_id: string; stdout: string; stderr: string; success: boolean }
  | { type: 'turn_diff'; unified_diff: string }
  | { type: 'elicitation_request'; server_name: string; message: string; requested_schema?: JsonObject }
  | { type: 'mcp_tool_call_begin'; call_id: string; invocation: ToolInvocation }
  | {
      type: 'mcp_tool_call_end';
      call_id: string;
      invocation: ToolInvocation;
      duration: Duration;
      result: { Ok: unknown } | { Err: string };
    }
  | { type: 'web_search_begin'; call_id: string }
  | { type: 'web_search_end'; call_id: string; query: string }
  | { type: 'context_compacted' }
  | { type: 'warning'; message: string }
  | { type: 'plan_update'; explanation: string | null; plan: PlanStep[] };

/**
 * What an agent says about one call.
 * `told`: an event of its turn; `question` is set on a request for approval, the id under which the answer must come.
 * `declined`: something was not done, `what` in words, and no person said so, or one stopped the turn over it.
 * `refused`: the call was not begun, and why; nothing follows.
 * A call's last is `refused`, or told `task_complete` or `turn_aborted`; an `error` goes before one of these.
 */
export type Event =
  | {
      kind: 'told';
      callId: string;
      threadId: string;
      turnId: string;
      id: string;
      msg: EventMsg;
      question?: number;
    }
  | { kind: 'declined'; callId: string; what: string; reason: string; question?: number }
  | { kind: 'refused'; callId: string; message: string };

export type Told = Extract<Event, { kind: 'told' }>;

/** True for the event after which a call has nothing more to say. */
export const isLast = (event: Event): boolean =>
  event.kind === 'refused' ||
  (event.kind === 'told' && (event.msg.type === 'task_complete' || event.msg.type === 'turn_aborted'));

/**
 * Puts a question to the person behind a call, inside the stream that goes to it.
 * `question` makes the item that carries the id; `then` follows the verdict, which always comes: an error,
 * a time-out or a client that cannot be asked are verdicts with a reason.
 */
export type Ask = <T>(
  about: { callId: string; askable: boolean },
  question: (id: number) => T,
  then: (verdict: Verdict & { question?: number }) => Observable<T>,
) => Observable<T>;

/** One engine of conversations. Emits until every call had its last event; unsubscribing stops all turns. */
export type Agent = (op$: Observable<Op>) => Observable<Event>;

/** An engine before it knows whom to ask. */
export type Engine = (ask: Ask) => Agent;
