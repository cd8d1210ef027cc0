/**
 * What the Agent Client Protocol says, version 1: its error codes, and the messages of an agent. Members that no agent of this program sends are left out.
 * Source: schema/v1/schema.json of agentclientprotocol/agent-client-protocol.
 */
import type { TerminalWords } from '../codex/operations';
import { isObject, toObject } from '../jsonrpc/json';

/** The only version. An agent answers with it whatever version its client offers. */
export const PROTOCOL_VERSION = 1;

/** The code of a request that needs a login. */
export const AUTH_REQUIRED = -32000;
/** The code for a session or a file that does not exist. */
export const NOT_FOUND = -32002;
/** The code of a request that its sender has cancelled. */
export const REQUEST_CANCELLED = -32800;

/** The notification with which each side cancels a request of its own. */
export const CANCEL_REQUEST = '$/cancel_request';

/** What a message holds. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string; uri?: string }
  | { type: 'audio'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string }
  | { type: 'resource'; resource: { uri: string; mimeType?: string } & ({ text: string } | { blob: string }) };

/** What a tool call shows. Texts of a diff may be a part of the file. */
export type ToolCallContent =
  | { type: 'content'; content: ContentBlock }
  | { type: 'diff'; path: string; oldText: string | null; newText: string }
  | { type: 'terminal'; terminalId: string };

/** What a tool does, for an icon. */
export type ToolKind = 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'fetch' | 'other';

/** How far a tool call has come; `pending` also while a person is asked. */
export type ToolCallStatus = 'pending' | 'in_progress' | 'completed' | 'failed';

/** A tool call, or its members that have changed. */
export type ToolCallFields = {
  title?: string;
  kind?: ToolKind;
  status?: ToolCallStatus;
  content?: readonly ToolCallContent[];
  /** Files by absolute path. */
  locations?: readonly { path: string }[];
  rawInput?: unknown;
};

type PlanEntry = {
  content: string;
  priority: 'high' | 'medium' | 'low';
  status: 'pending' | 'in_progress' | 'completed';
};

/** An update of a session. */
export type SessionUpdate =
  | {
      sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';
      messageId: string;
      content: ContentBlock;
    }
  | ({ sessionUpdate: 'tool_call'; toolCallId: string; title: string } & ToolCallFields)
  | ({ sessionUpdate: 'tool_call_update'; toolCallId: string } & ToolCallFields)
  | { sessionUpdate: 'plan'; entries: readonly PlanEntry[] }
  | { sessionUpdate: 'usage_update'; used: number; size: number }
  | { sessionUpdate: 'session_info_update'; title: string; updatedAt: string }
  | { sessionUpdate: 'available_commands_update'; availableCommands: readonly AvailableCommand[] }
  | { sessionUpdate: 'current_mode_update'; currentModeId: string }
  | { sessionUpdate: 'config_option_update'; configOptions: readonly ConfigOption[] };

/** A command that a person may type at the beginning of a prompt, after a slash. */
export type AvailableCommand = { name: string; description: string; input?: { hint: string } };

/** What a person may choose of one setting. */
export type ConfigOption = {
  type: 'select';
  id: string;
  name: string;
  description?: string;
  category: string;
  currentValue: string;
  options: readonly { value: string; name: string; description?: string }[];
};

/** The modes of a session. */
export type SessionModes = {
  currentModeId: string;
  availableModes: readonly { id: string; name: string; description: string }[];
};

/** An answer that a person may choose. */
export type PermissionOption = {
  optionId: string;
  name: string;
  kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';
};

/** The params of `session/request_permission`. */
export type PermissionRequest = {
  sessionId: string;
  toolCall: { toolCallId: string } & ToolCallFields;
  options: readonly PermissionOption[];
};

/** What a client can do, as far as it matters here. */
export type ClientCapabilities = {
  /** It reads files, as its editor shows them. */
  reads: boolean;
  /** It writes files. */
  writes: boolean;
  /** It runs commands in terminals, of such words; undefined if it has none. */
  terminal: TerminalWords | undefined;
  /** It shows forms to a person. */
  forms: boolean;
  /** It opens addresses for a person. */
  urls: boolean;
  /** It runs this program in a terminal of the person. */
  terminalLogin: boolean;
  /** It has a server of models, and a key for it. */
  gateway: boolean;
};

/**
 * Clients that make a line for a shell of a command and its arguments, as some older ones do that do not give their names. Whether they quote depends on
 * their release and on the shell. Source: zed-industries/zed crates/util/src/shell_builder.rs, batrachianai/toad src/toad/widgets/terminal_tool.py.
 */
const JOINING = ['zed', 'toad', ''];

/** What a client of this name declares. Values of other types count as absent: a receiver does without what it cannot read. */
export const readCapabilities = (declared: unknown, name = ''): ClientCapabilities => {
  const { fs, terminal, elicitation, auth } = toObject(declared);
  const { form, url } = toObject(elicitation);
  return {
    reads: toObject(fs).readTextFile === true,
    writes: toObject(fs).writeTextFile === true,
    terminal: terminal !== true ? undefined : JOINING.includes(name.trim().toLowerCase()) ? 'plain' : 'any',
    forms: isObject(form),
    urls: isObject(url),
    terminalLogin: toObject(auth).terminal === true,
    gateway: toObject(toObject(auth)._meta).gateway === true,
  };
};
