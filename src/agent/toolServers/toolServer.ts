/** The shapes of MCP servers whose tools a model may call. */
import type { Observable } from 'rxjs';
import type { ReviewResult } from '../../protocol/codex/approval';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { FunctionSpec } from '../../protocol/model/request';
import type { ToolRow } from '../tools/tool';

/**
 * A server as configured; times in milliseconds, `cwd` absolute. `environmentId` names
 * the executor. If `argv` is empty it is reached at `url`, with the given headers and those from environment variables.
 * Of its tools, those in `enabledTools` are offered, or all if that is absent, except those in `disabledTools`.
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
 * The course of a call: `progress` as a text; `question` if the server asks a person something; finally `done`, with
 * the text for the model.
 */
export type CallEvent =
  | { kind: 'progress'; message: string }
  | { kind: 'question'; message: string; schema?: JsonObject; answer: (review: ReviewResult) => void }
  | { kind: 'done'; result: { Ok: unknown } | { Err: string }; text: string };

/** Calls a tool. Never errors; unsubscribing cancels the call. */
export type CallTool = (tool: string, args: JsonObject | undefined) => Observable<CallEvent>;

/** A running server. */
export type ToolServer = { tools: readonly ToolInfo[]; call: CallTool };

/** A tool of a server, with the name and the schema that are offered to a model. */
export type OfferedTool = {
  spec: FunctionSpec;
  server: string;
  tool: string;
  isReadOnly: boolean;
  call: (args: JsonObject | undefined) => Observable<CallEvent>;
};

/**
 * What a turn can call, and why some servers are missing. `inUse$` is subscribed for as long as the turn runs, because servers end
 * some time after their last turn; it never emits.
 */
export type ToolSet = { rows: readonly ToolRow[]; failures: readonly string[]; inUse$?: Observable<never> };

/** A tool set without any server. */
export const NO_TOOLS: ToolSet = { rows: [], failures: [] };

/** The server cannot be used as it is; an immediate retry would not help. */
export class NotStarted extends Error {
  override name = 'NotStarted';
}
