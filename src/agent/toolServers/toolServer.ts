/** The shapes of MCP servers whose tools a model may call, and such a tool: whether a person is asked before it is called, and the call. */
import { concat, concatMap, defer, type Observable, of } from 'rxjs';
import type { ReviewResult } from '../../protocol/codex/engine';
import type { ApprovalPolicy } from '../../protocol/codex/settings';
import {
  isObject,
  isTooDeep,
  type JsonObject,
  type JsonSchema,
  MAX_LEVELS,
  mayBeTooDeep,
  toJson,
} from '../../protocol/jsonrpc/json';
import { parseExactly } from '../../protocol/jsonrpc/rawMembers';
import type { FunctionSpec } from '../../protocol/model/request';
import { shorten } from '../../protocol/model/shorten';
import type { ApprovalMode, McpServer } from '../../settings/config';
import { toVisible } from '../../streams/text/visible';
import { toDuration } from '../tools/commandOutcome';
import { type ApprovalRequest, type Assessment, type Tool, type ToolEvent, type ToolRow, toEvent } from '../tools/tool';

/** A server as configured. */
export type ToolServerSpec = Omit<McpServer, 'command' | 'args' | 'envVars' | 'cwd'> & {
  /** Its program and arguments; empty if it is reached at `url`. */
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
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

/** The settings of a thread that matter to approvals of tools. */
export type ApprovalSettings = {
  approvalPolicy: ApprovalPolicy;
  /** Its commands run without a sandbox. */
  isFullAccess?: boolean;
};

type ServerToolDeps = ApprovalSettings & {
  /** In ms. */
  now: () => number;
};

/** A call whose arguments were read; undefined if there are none. */
export type ServerCall = { callId: string; args: JsonObject | undefined };

/**
 * A tool of an MCP server. Calls it, or asks first: by the mode that the user set for it, else under `untrusted` about every tool that may change
 * something, because the sandbox does not extend to servers. Arguments that cannot be read are refused, and the model reads why. What the model reads
 * of the result is shortened like the output of a command.
 *   call  -p--q----d       (p progress, q the server asks, d done)
 *   run   B-P--Q----(EO|)  (B, E begin and end of the call, Q the question, O the output)
 * Source: Codex 0.28.0, CORE 9; it asked about no tool, and shortened nothing.
 */
export const serverTool = (deps: ServerToolDeps, offered: OfferedTool): Tool<ServerCall> => ({
  spec: offered.spec,
  assess: ({ callId, args: text, isApproved }) => {
    const args = readArguments(text);
    if (typeof args === 'string') return of({ verdict: 'refuse', output: `err: ${args}` });
    const plan = { callId, args };
    const approval = toApproval(offered, args);
    const isAsked = needsApproval(deps, offered) && !approval.keys.some(isApproved);
    if (isAsked && deps.approvalPolicy === 'never') return of(refused(approval.subject, offered));
    return of<Assessment<ServerCall>>(
      isAsked
        ? { verdict: 'ask', plan, approval }
        : { verdict: 'run', plan, ...(offered.isReadOnly && { effect: 'reads' as const }) },
    );
  },
  run: (plan) => defer(() => run(deps, offered, plan)),
});

/** An empty text means no arguments; so does null, which some models write for a tool that takes none. */
const readArguments = (text: string): JsonObject | undefined | string => {
  if (text.trim() === '') return undefined;
  try {
    const value = parseExactly(text);
    if (mayBeTooDeep(text) && isTooDeep(value)) return `the arguments are nested deeper than ${MAX_LEVELS} levels`;
    if (value === null) return undefined;
    return isObject(value) ? value : 'the arguments must be a JSON object';
  } catch (error) {
    return (error as Error).message;
  }
};

const run = (
  { now }: ServerToolDeps,
  offered: OfferedTool,
  { callId: call_id, args }: ServerCall,
): Observable<ToolEvent> => {
  const { server, tool } = offered;
  const startedMs = now();
  const invocation = { server, tool, arguments: args ?? null };
  const toEvents = (event: CallEvent): ToolEvent[] => {
    if (event.kind === 'progress') {
      return [toEvent({ type: 'background_event', message: `${server}/${tool}: ${event.message}` })];
    }
    if (event.kind === 'question') return [toQuestion(server, event)];
    const duration = toDuration(Math.max(0, now() - startedMs));
    return [
      toEvent({ type: 'mcp_tool_call_end', call_id, invocation, duration, result: event.result }),
      { kind: 'output', text: shorten(event.text) },
    ];
  };
  const begin = toEvent({ type: 'mcp_tool_call_begin', call_id, invocation });
  return concat(of(begin), offered.call(args).pipe(concatMap(toEvents)));
};

const toQuestion = (
  server: string,
  { message, schema, answer }: Extract<CallEvent, { kind: 'question' }>,
): ToolEvent => ({
  kind: 'question',
  msg: { type: 'elicitation_request', server_name: server, message, ...(schema && { requested_schema: schema }) },
  subject: `${server}: ${toVisible(message)}`,
  answer,
});

/** Without a mode of the user the policy decides. Source of the modes: Codex 0.171.0, in runs with each policy; there no mode is the mode `auto`. */
const needsApproval = (
  { approvalPolicy, isFullAccess }: ApprovalSettings,
  { mode, isReadOnly, isHarmless }: OfferedTool,
): boolean => {
  switch (mode) {
    case undefined:
      return approvalPolicy === 'untrusted' && !isReadOnly;
    case 'approve':
      return false;
    default:
      if (approvalPolicy === 'never' && isFullAccess) return false;
      return mode === 'prompt' || !(isReadOnly || (mode === 'auto' && isHarmless === true));
  }
};

/** The refusal of a tool that would be asked about, if nobody may be asked. */
const refused = (subject: string, { mode }: OfferedTool): Assessment<never> => {
  const reason = `approval_mode = "${mode}" asks before this tool, and nobody is asked under the approval policy never`;
  return { verdict: 'refuse', output: `tool call rejected: ${reason}`, report: { subject, reason } };
};

/** The key of an approval. The offered name may be that of another tool in another list. */
const approvalKey = ({ server, tool }: OfferedTool): string => `tool ${JSON.stringify([server, tool])}`;

/** The question before a tool is called. */
const toApproval = (offered: OfferedTool, args: JsonObject | undefined): ApprovalRequest => {
  const { server, tool, mode } = offered;
  const call = `${toVisible(tool)}(${args === undefined ? '' : toJson(args)})`;
  return {
    msg: { type: 'elicitation_request', server_name: server, message: `May the tool ${call} be called?` },
    subject: `${server}/${call}`,
    what: 'tool call',
    covers: mode === 'prompt' ? 'once' : 'tool',
    keys: mode === 'prompt' ? [] : [approvalKey(offered)], // it asks each time
  };
};
