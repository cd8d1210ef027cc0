/** The shapes of MCP servers whose tools a model may call. */
import type { Observable } from 'rxjs';
import type { ReviewResult } from '../protocol/codex';
import type { JsonObject } from '../protocol/jsonrpc';
import type { FunctionSpec } from '../protocol/model';
import type { ToolRow } from '../tools';

/**
 * A server as it is configured; times in milliseconds, `cwd` absolute. `environmentId` names
 * the executor. Where `argv` is empty it is reached at `url`, with the headers given and those from environment variables.
 * Of its tools those in `enabledTools` are offered, if there are any, less those in `disabledTools`.
 */
export type ToolServerSpec = {
  argv: readonly string[];
  url?: string;
  bearerTokenEnvVar?: string;
  httpHeaders: Readonly<Record<string, string>>;
  envHttpHeaders: Readonly<Record<string, string>>;
  environmentId: string;
  cwd: string;
  env: Record<string, string>;
  startTimeoutMs: number;
  toolTimeoutMs: number;
  enabledTools?: readonly string[];
  disabledTools: readonly string[];
};

/** A tool as its server describes it. */
export type ToolInfo = { name: string; description: string; inputSchema: unknown; isReadOnly: boolean };

/**
 * How a call goes: `progress` as a text; `question` where the server asks a person something; at last `done`, with
 * the text for the model.
 */
export type CallEvent =
  | { kind: 'progress'; message: string }
  | { kind: 'question'; message: string; schema?: JsonObject; answer: (review: ReviewResult) => void }
  | { kind: 'done'; result: { Ok: unknown } | { Err: string }; text: string };

/** Calls a tool. Never errors; unsubscribing cancels the call. */
export type CallTool = (tool: string, args: JsonObject | undefined) => Observable<CallEvent>;

/** A server that runs. */
export type ToolServer = { tools: readonly ToolInfo[]; call: CallTool };

/** A tool of a server under the name and the schema that a model is offered. */
export type OfferedTool = {
  spec: FunctionSpec;
  server: string;
  tool: string;
  isReadOnly: boolean;
  call: (args: JsonObject | undefined) => Observable<CallEvent>;
};

/**
 * What a turn can call, and why some servers take no part in it. `inUse$` is subscribed to as long as the turn runs, for servers end
 * some time after their last turn; it never emits.
 */
export type ToolSet = { rows: readonly ToolRow[]; failures: readonly string[]; inUse$?: Observable<never> };

/** No tools of any server. */
export const NO_TOOLS: ToolSet = { rows: [], failures: [] };
