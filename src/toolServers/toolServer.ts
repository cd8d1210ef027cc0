/** Owns the shapes of MCP servers whose tools a model may call. */
import type { Observable } from 'rxjs';
import type { JsonObject, ToolSpec, Verdict } from '../protocol';

/**
 * A server as it is configured; times in milliseconds, `cwd` absolute. `environmentId` names
 * the executor. One with a `url` in place of a command cannot be used yet.
 * Of its tools those in `enabledTools` are offered, if there are any, less those in `disabledTools`.
 */
export type ToolServerSpec = {
  argv: readonly string[];
  url?: string;
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
 * How a call goes: `progress` in words, `asked` where the server wants to know something of a person, `done` at last, with
 * what the model is told.
 */
export type ToolNews =
  | { kind: 'progress'; message: string }
  | { kind: 'asked'; message: string; schema?: JsonObject; answer: (verdict: Verdict) => void }
  | { kind: 'done'; result: { Ok: unknown } | { Err: string }; text: string };

/** A server that runs. `call` never errors; unsubscribing cancels the call. */
export type ToolServer = {
  tools: readonly ToolInfo[];
  call: (tool: string, args: JsonObject | undefined) => Observable<ToolNews>;
};

/** A tool that a model may call. */
export type OfferedTool = {
  spec: ToolSpec;
  server: string;
  tool: string;
  isReadOnly: boolean;
  call: (args: JsonObject | undefined) => Observable<ToolNews>;
};

/** What a turn can call, and why some servers take no part in it. */
export type ToolSet = { tools: ReadonlyMap<string, OfferedTool>; failures: readonly string[] };

/** No tools of any server. */
export const NO_TOOLS: ToolSet = { tools: new Map(), failures: [] };
