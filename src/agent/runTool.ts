/** Owns one call of a tool of an MCP server: may it be made, its events, what the model is told. */
import { concat, connect, defer, EMPTY, filter, mergeMap, type Observable, of, takeUntil } from 'rxjs';
import { type Ask, type FunctionCall, isObject, type JsonObject, type Verdict } from '../protocol';
import type { OfferedTool, ToolNews } from '../toolServers';
import { output, type Step, type Turn, tell } from './step';

/** `now` in ms; `approvedTools` remembers, per thread, which may be called without being asked about again. */
export type ToolDeps = { ask: Ask; now: () => number; approvedTools: Set<string> };

/**
 * Calls a tool, or asks first. Emits its events, then its output; or a stop, when the user ended the turn over it. Under
 * `untrusted` a person is asked about every tool that may change something; the sandbox does not reach into servers.
 *   call  -p--a----d       (p progress, a the server asks, d done)
 *   out   B-P--Q----(EO|)  (B, E begin and end of the call, Q the question, O the output)
 * Source: Codex 0.28.0, CORE 9; it asked about none.
 */
export const runTool =
  (deps: ToolDeps) =>
  (turn: Turn, call: FunctionCall, tool: OfferedTool): Observable<Step> => {
    const args = readArguments(call.arguments);
    if (typeof args === 'string') return of(output(call, `err: ${args}`));
    const isAsked =
      turn.thread.config.approvalPolicy === 'untrusted' && !tool.isReadOnly && !deps.approvedTools.has(tool.spec.name);
    return isAsked ? askFirst(deps, turn, call, tool, args) : run(deps, turn, call, tool, args);
  };

/** No text is no arguments. */
const readArguments = (text: string): JsonObject | undefined | string => {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : 'the arguments must be a JSON object';
  } catch (error) {
    return (error as Error).message;
  }
};

const run = (
  deps: ToolDeps,
  turn: Turn,
  call: FunctionCall,
  tool: OfferedTool,
  args: JsonObject | undefined,
): Observable<Step> =>
  defer(() => {
    const startedMs = deps.now();
    const { call_id } = call;
    const invocation = { server: tool.server, tool: tool.tool, arguments: args ?? null };
    const toSteps = (news: ToolNews, done$: Observable<unknown>): Observable<Step> => {
      switch (news.kind) {
        case 'progress':
          return of(tell(turn, { type: 'background_event', message: `${tool.server}/${tool.tool}: ${news.message}` }));
        case 'asked':
          return handOn(deps, turn, tool, news).pipe(takeUntil(done$)); // whose call is over nobody waits for
        case 'done': {
          const ms = Math.max(0, deps.now() - startedMs);
          const duration = { secs: Math.floor(ms / 1000), nanos: Math.round((ms % 1000) * 1e6) };
          const end = { type: 'mcp_tool_call_end', call_id, invocation, duration, result: news.result } as const;
          return of(tell(turn, end), output(call, news.text));
        }
      }
    };
    return concat(
      of(tell(turn, { type: 'mcp_tool_call_begin', call_id, invocation })),
      tool.call(args).pipe(
        connect((news$) => {
          const done$ = news$.pipe(filter(({ kind }) => kind === 'done'));
          return news$.pipe(mergeMap((news) => toSteps(news, done$)));
        }),
      ),
    );
  });

/** A question of the server, put to our own client. */
const handOn = (
  { ask }: ToolDeps,
  turn: Turn,
  { server }: OfferedTool,
  { message, schema, answer }: Extract<ToolNews, { kind: 'asked' }>,
): Observable<Step> => {
  const msg = {
    type: 'elicitation_request',
    server_name: server,
    message,
    ...(schema && { requested_schema: schema }),
  } as const;
  return ask<Step>(
    turn.op,
    (question) => ({ ...tell(turn, msg), question }),
    (verdict) => {
      answer(verdict);
      return declined(turn, `${server}: ${message}`, verdict);
    },
  );
};

const askFirst = (
  deps: ToolDeps,
  turn: Turn,
  call: FunctionCall,
  tool: OfferedTool,
  args: JsonObject | undefined,
): Observable<Step> => {
  const what = `${tool.tool}(${args === undefined ? '' : JSON.stringify(args)})`;
  const message = `May the tool ${what} be called?`;
  return deps.ask<Step>(
    turn.op,
    (question) => ({ ...tell(turn, { type: 'elicitation_request', server_name: tool.server, message }), question }),
    (verdict) => {
      if (verdict.decision === 'approved_for_session') deps.approvedTools.add(tool.spec.name);
      if (verdict.decision === 'approved' || verdict.decision === 'approved_for_session') {
        return run(deps, turn, call, tool, args);
      }
      const why = verdict.reason === undefined ? ' by user' : `: ${verdict.reason}`;
      return concat(
        declined(turn, `${tool.server}/${what}`, verdict),
        of(output(call, `tool call rejected${why}`)),
        verdict.decision === 'abort' ? of<Step>({ kind: 'stop' }) : EMPTY,
      );
    },
  );
};

/** Told to the caller unless a person simply said yes or no. */
const declined = (
  { op: { callId } }: Turn,
  what: string,
  { decision, reason, form, question }: Verdict & { question?: number },
): Observable<Step> => {
  const why = reason ?? (decision === 'abort' ? 'the user stopped the turn at this question' : undefined);
  return why === undefined || form !== undefined
    ? EMPTY
    : of<Step>({ kind: 'declined', callId, what, reason: why, question });
};
