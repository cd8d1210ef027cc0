/** Events that are sent only to clients of later releases. Source: Codex 0.142.0 and 0.153.4, tapes of `codex/event`. */
import type { FileChanges } from './fileChange';

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
export type PatchStatus = 'completed' | 'failed' | 'declined';

/** How far an MCP server has come in its start. */
export type McpStartupStatus = { state: 'starting' | 'ready' | 'cancelled' } | { state: 'failed'; error: string };

/** `failed` names the MCP servers of a thread that did not start. Times are in milliseconds since 1970. */
export type LaterMsg =
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
