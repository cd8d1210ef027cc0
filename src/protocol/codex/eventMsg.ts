/** The `msg` of `codex/event`, in Codex's own shapes. */
import type { JsonObject } from '../jsonrpc/json';
import type { TokenUsage } from '../model/events';
import type { ApprovalPolicy, SandboxMode } from './settings';

/** What a command does, as far as its words show. */
export type ParsedCommand =
  | { type: 'read'; cmd: string; name: string }
  | { type: 'list_files'; cmd: string; path: string | null }
  | { type: 'search'; cmd: string; query: string | null; path: string | null }
  | { type: 'unknown'; cmd: string };

/** A step of the plan that the tool update_plan maintains. */
export type PlanStep = { step: string; status: 'pending' | 'in_progress' | 'completed' };
/** A span of time, as Rust writes it. */
export type Duration = { secs: number; nanos: number };

/** A call to a tool of an MCP server. */
export type ToolInvocation = { server: string; tool: string; arguments: unknown };

/** When a turn ended, in seconds since 1970, and how long it took. */
type Ended = { completed_at?: number; duration_ms?: number };

/**
 * The events of a turn, in the shapes of `codex/event` `msg`.
 * `token_count` counts one answer; its `total` is the sum for the thread, `turn` that for the turn. `item_type` is the type of the model's
 * item that a warning is about. `mcp_servers` names the servers that the thread starts; with `reported`, each follows in `mcp_startup_update`.
 * `chunk` is raw bytes; each face of the server encodes them its own way.
 * Optional fields that no engine sets are added for clients of later releases.
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
      mcp_servers?: readonly string[] | 'reported';
    }
  | { type: 'task_started'; model_context_window: number | null; started_at?: number; collaboration_mode_kind?: string }
  | ({ type: 'task_complete'; last_agent_message: string | null; time_to_first_token_ms?: number } & Ended)
  | ({ type: 'turn_aborted'; reason: 'interrupted' | 'replaced' } & Ended)
  | { type: 'error'; message: string }
  | { type: 'stream_error'; message: string }
  | { type: 'background_event'; message: string }
  | ({ type: 'token_count'; total?: TokenUsage; turn?: TokenUsage; model_context_window?: number | null } & TokenUsage)
  | { type: 'agent_message_delta'; delta: string; item_id: string }
  | { type: 'agent_message'; message: string }
  | { type: 'agent_reasoning_delta'; delta: string; item_id: string; summary_index?: number }
  | { type: 'agent_reasoning_section_break'; item_id: string; summary_index?: number }
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
      started_at_ms?: number;
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
      command?: readonly string[];
      cwd?: string;
      parsed_cmd?: ParsedCommand[];
      status?: 'completed' | 'failed';
      completed_at_ms?: number;
    }
  | {
      type: 'apply_patch_approval_request';
      call_id: string;
      changes: FileChanges;
      reason?: string;
      grant_root?: string;
    }
  | { type: 'patch_apply_begin'; call_id: string; auto_approved: boolean; changes: FileChanges }
  | {
      type: 'patch_apply_end';
      call_id: string;
      stdout: string;
      stderr: string;
      success: boolean;
      changes?: FileChanges;
      status?: PatchStatus;
    }
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
  | { type: 'warning'; message: string; item_type?: string }
  | { type: 'plan_update'; explanation: string | null; plan: PlanStep[] }
  | LaterMsg;

/** The change to one file; `unified_diff` holds hunks without a file header. */
export type FileChange =
  | { add: { content: string } }
  | { delete: { content: string } }
  | { update: { unified_diff: string; move_path: string | null } };
/** Changes by absolute path. */
export type FileChanges = Record<string, FileChange>;

/** An item of a turn, as it is when it starts and when it is complete. */
export type TurnItem =
  | { type: 'UserMessage'; id: string; content: readonly { type: 'text'; text: string; text_elements: [] }[] }
  | { type: 'Reasoning'; id: string; summary_text: readonly string[]; raw_content: readonly string[] }
  | { type: 'AgentMessage'; id: string; content: readonly { type: 'Text'; text: string }[] }
  | {
      type: 'FileChange';
      id: string;
      changes: FileChanges;
      auto_approved?: boolean;
      status?: PatchStatus;
      stdout?: string;
      stderr?: string;
    };

/** The outcome of a patch, in the words of later releases. */
type PatchStatus = 'completed' | 'failed' | 'declined';

/** How far an MCP server has come in its start. */
export type McpStartupStatus = { state: 'starting' | 'ready' | 'cancelled' } | { state: 'failed'; error: string };

/** `failed` names the MCP servers of a thread that did not start. Times are in milliseconds since 1970. */
type LaterMsg =
  | { type: 'mcp_startup_update'; server: string; status: McpStartupStatus }
  | {
      type: 'mcp_startup_complete';
      ready: readonly string[];
      failed: readonly { server: string; error: string }[];
      cancelled: readonly string[];
    }
  | {
      type: 'user_message';
      message: string;
      images: readonly string[];
      local_images: readonly string[];
      text_elements: [];
    }
  | { type: 'item_started'; item: TurnItem; started_at_ms: number }
  | { type: 'item_completed'; item: TurnItem; completed_at_ms: number };
