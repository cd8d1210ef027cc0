/** The shapes of MCP servers whose tools a model may call. */
import type { Observable } from 'rxjs';
import type { ReviewResult } from '../../protocol/codex/engine';
import type { JsonObject, JsonSchema } from '../../protocol/jsonrpc/json';
import type { FunctionSpec } from '../../protocol/model/request';
import type { ApprovalMode, ToolApproval } from '../../settings/config';
import type { ToolRow } from '../tools/tool';

/** A server as configured. */
export type ToolServerSpec = {
  /** Its program and arguments; empty if it is reached at `url`. */
  argv: readonly string[];
  url?: string;
  bearerTokenEnvVar?: string;
  httpHeaders: Readonly<Record<string, string>>;
  /** Headers, and the environment variables that hold their values. */
  envHttpHeaders: Readonly<Record<string, string>>;
  /** The executor on which it runs. */
  environmentId: string;
  /** Absolute. */
  cwd: string;
  env: Record<string, string>;
  startTimeoutMs: number;
  toolTimeoutMs: number;
  /** The names of the tools that are offered; all by default. */
  enabledTools?: readonly string[];
  /** The names of tools that are not offered. */
  disabledTools: readonly string[];
  /** When a person is asked about a tool. */
  approval?: ToolApproval;
};

/** A tool as its server describes it. */
export type ToolInfo = {
  name: string;
  description: string;
  /** Its schema as it is sent, made once for each list of its server; undefined if it is not of an object, as model providers require. */
  parameters: JsonSchema | undefined;
  isReadOnly: boolean;
  /** It destroys nothing, and reaches nothing outside of its server. */
  isHarmless?: true;
};

/** The course of a call. */
export type CallEvent =
  | { kind: 'progress'; message: string }
  /** The server asks a person something. */
  | { kind: 'question'; message: string; schema?: JsonObject; answer: (review: ReviewResult) => void }
  /** The last event, with the text for the model. */
  | { kind: 'done'; result: { Ok: unknown } | { Err: string }; text: string };

/** Calls a tool. Never errors; unsubscribing cancels the call. */
type CallTool = (tool: string, args: JsonObject | undefined) => Observable<CallEvent>;

/** A running server. */
export type ToolServer = { tools: readonly ToolInfo[]; call: CallTool };

/** A tool of a server, with the name and the schema that are offered to a model. */
export type OfferedTool = {
  spec: FunctionSpec;
  server: string;
  tool: string;
  isReadOnly: boolean;
  isHarmless?: true;
  /** When a person is asked about it; by default the policy alone decides. */
  mode?: ApprovalMode;
  call: (args: JsonObject | undefined) => Observable<CallEvent>;
};

/** What a turn can call of its servers. */
export type ToolSet = {
  rows: readonly ToolRow[];
  /** Why some servers are missing. */
  failures: readonly string[];
  /** Never emits. Subscribed for as long as the turn runs, because servers end some time after their last turn. */
  inUse$?: Observable<never>;
};

/** A tool set without any server. */
export const NO_TOOLS: ToolSet = { rows: [], failures: [] };

/** The server cannot be used as it is; an immediate retry would not help. */
export class NotStarted extends Error {
  override name = 'NotStarted';
}
