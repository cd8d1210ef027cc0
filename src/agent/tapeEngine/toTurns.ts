/** Finds the calls of the two tools in a session, with everything that the server sent because of each. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { isObject, type JsonObject, ownOf, toObject, wordOf } from '../../protocol/jsonrpc/json';
import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { groupBy } from '../../tapes/session/groupBy';
import type { IndexedMessage, ServerLine, SessionIndex } from '../../tapes/session/sessionIndex';
import { type SessionTask, shownTask, tasksOf } from '../../tapes/session/sessionTasks';
import { outcomeOf, type RecordedOutcome } from './recordedOutcome';
import {
  approvalAfter,
  askedByTask,
  callIdOf,
  isQuestion,
  type RecordedAnswer,
  type TaskQuestion,
  toQuestion,
} from './recordedQuestions';

/** An event of a turn. */
export type TurnStep = {
  /** Since the previous event. */
  afterMs: number;
  msg: EventMsg;
  /** Set if the event asks the user; `decision` is undefined if no answer was recorded. */
  question?: RecordedAnswer;
};

/** A recorded call. */
export type RecordedTurn = Omit<RecordedOutcome, 'isNameless'> & {
  lineNumber: number;
  tool: 'codex' | 'codex-reply';
  prompt: string;
  /** '' if none is named. */
  threadId: string;
  steps: TurnStep[];
  /** True for a call that failed before it began. */
  isRejected?: true;
};

/** The calls of `codex` and `codex-reply`, in the order they were made. */
export const toTurns = (index: SessionIndex): RecordedTurn[] => {
  const linesOf = groupBy(index.serverLines, ({ owner }) => owner);
  const tasks = new Map(tasksOf(index).map((task) => [task.call, task]));
  return index.calls.flatMap((call, at) => {
    const request = index.messages[call.request];
    const tool = request?.from === 'client' ? toolOf(request.message) : undefined;
    if (request === undefined || tool === undefined) return [];
    const lines = linesOf.get(request.line) ?? [];
    const task = tasks.get(at);
    const end = index.messages[task === undefined ? (call.response ?? -1) : (task.end ?? -1)];
    const threadId = threadOf(index, [request, end], lines);
    const steps = toSteps(index, lines, request.t);
    const asked = task === undefined ? [] : askedByTask(index, task.taskId);
    return [
      {
        lineNumber: request.lineNumber,
        ...tool,
        threadId,
        steps: withAsked(steps, asked, request.t),
        ...toEnd(outcomeOf(toBody(end?.message, task)), { steps, threadId }),
      },
    ];
  });
};

const toEnd = (
  { isNameless, ...outcome }: RecordedOutcome,
  { steps, threadId }: Pick<RecordedTurn, 'steps' | 'threadId'>,
): Pick<RecordedTurn, 'text' | 'failure' | 'notDone' | 'isRejected'> => {
  const isRejected = outcome.failure !== undefined && steps.length === 0 && (isNameless || threadId === '');
  return { ...outcome, ...(isRejected && { isRejected }) };
};

const toolOf = (message: TapeMessage): Pick<RecordedTurn, 'tool' | 'prompt'> | undefined => {
  if (message.kind !== 'request' || message.method !== 'tools/call' || !isObject(message.params)) return undefined;
  const { name, arguments: given } = message.params;
  if (name !== 'codex' && name !== 'codex-reply') return undefined;
  return { tool: name, prompt: wordOf((isObject(given) ? given.prompt : undefined) ?? '') };
};

/** A task asks after all events that are on the tape; an event that only says that it asks is left out. */
const withAsked = (steps: TurnStep[], asked: readonly TaskQuestion[], startedMs: number): TurnStep[] => {
  let beforeMs = startedMs + steps.reduce((sum, { afterMs }) => sum + afterMs, 0);
  const isAsked = ({ msg }: TurnStep) => isQuestion(msg) && asked.some((one) => callIdOf(one.msg) === callIdOf(msg));
  return [
    ...steps.filter((step) => !isAsked(step)),
    ...asked.map(({ msg, question, t, answeredMs = t }) => {
      const afterMs = Math.max(0, t - beforeMs);
      beforeMs = answeredMs;
      return { afterMs, msg, question };
    }),
  ];
};

/** Servers that do not name the call of an event still name its thread. */
const threadOf = (
  { entries, threads }: SessionIndex,
  [request, end]: readonly (IndexedMessage | undefined)[],
  lines: readonly ServerLine[],
): string => {
  const own = [request, ...lines.flatMap(({ entry }) => entries[entry]?.messages ?? []), end];
  const thread = own.map((one) => one?.thread).find((one) => one !== undefined);
  return threads[thread ?? -1] ?? '';
};

const toSteps = (index: SessionIndex, lines: readonly ServerLine[], startedMs: number): TurnStep[] => {
  const asked = new Set(
    lines.map(msgOf).flatMap((msg) => (msg !== undefined && isQuestion(msg) ? [callIdOf(msg)] : [])),
  );
  let beforeMs = startedMs;
  return lines.flatMap((line, i) => {
    const msg = msgOf(line) ?? askedBy(line, asked);
    if (msg === undefined) return [];
    const approval = isQuestion(msg) ? approvalAfter(index, lines.slice(i)) : undefined;
    const afterMs = Math.max(0, line.t - beforeMs);
    beforeMs = approval?.answeredMs ?? line.t;
    return [{ afterMs, msg, ...(approval && { question: approval.verdict }) }];
  });
};

/** The question of a request that no event shows, as on the tape of a client that gets none. */
const askedBy = ({ messages: [message] }: ServerLine, asked: ReadonlySet<unknown>): EventMsg | undefined => {
  if (message?.kind !== 'request' || message.method !== 'elicitation/create') return undefined;
  const msg = toQuestion(toObject(message.params));
  return msg === undefined || asked.has(callIdOf(msg)) ? undefined : msg;
};

const msgOf = ({ messages: [message] }: ServerLine): EventMsg | undefined => {
  if (message?.kind !== 'notification' || message.method !== 'codex/event' || !isObject(message.params))
    return undefined;
  return isObject(message.params.msg) ? fromWireMsg(message.params.msg) : undefined;
};

/** The result or the error of a call, which a task has at its end. After that answer no event of the turn is on the tape. */
const toBody = (end: TapeMessage | undefined, task: SessionTask | undefined): JsonObject => {
  if (task === undefined) return end?.kind === 'response' ? end.body : {};
  const shown = shownTask(end) ?? { error: { message: 'the recorded task has no end' } };
  return shown.status === 'cancelled' ? { error: { message: 'the recorded task was cancelled' } } : shown;
};

/** The names of deltas in later releases, and their names in 0.28.0. Source: codex 0.142.0 to 0.153.4. */
const OLD_NAMES: Record<string, string> = {
  agent_message_content_delta: 'agent_message_delta',
  reasoning_content_delta: 'agent_reasoning_delta',
  reasoning_raw_content_delta: 'agent_reasoning_raw_content_delta',
};

/** Whether an event of a tape is relayed. The face of the server makes the others itself, and a tape starts no MCP servers. */
const RELAYED: Readonly<Record<EventMsg['type'], boolean>> = {
  session_configured: true,
  task_started: true,
  task_complete: true,
  turn_aborted: true,
  error: true,
  stream_error: true,
  background_event: true,
  warning: true,
  token_count: true,
  agent_message_delta: true,
  agent_message: true,
  agent_reasoning_delta: true,
  agent_reasoning_section_break: true,
  agent_reasoning: true,
  agent_reasoning_raw_content_delta: true,
  agent_reasoning_raw_content: true,
  exec_approval_request: true,
  exec_command_begin: true,
  exec_command_output_delta: true,
  exec_command_end: true,
  apply_patch_approval_request: true,
  patch_apply_begin: true,
  patch_apply_end: true,
  turn_diff: true,
  elicitation_request: true,
  mcp_tool_call_begin: true,
  mcp_tool_call_end: true,
  web_search_begin: true,
  web_search_end: true,
  context_compacted: true,
  plan_update: true,
  mcp_startup_update: false,
  mcp_startup_complete: false,
  user_message: false,
  item_started: false,
  item_completed: false,
};

/** Reads a recorded `codex/event` of any release, without members of the protocol; undefined for an event that is not relayed. */
export const fromWireMsg = ({
  type: name,
  turn_id: _turn,
  thread_id: _thread,
  ...rest
}: JsonObject): EventMsg | undefined => {
  const type = OLD_NAMES[wordOf(name)] ?? wordOf(name);
  if (!ownOf<boolean>(RELAYED, type)) return undefined;
  return { type, ...normalized(type, rest) } as unknown as EventMsg;
};

const normalized = (type: string, rest: JsonObject): JsonObject => {
  switch (type) {
    case 'exec_command_output_delta':
      return { ...rest, chunk: toBytes(rest.chunk) };
    case 'token_count':
      return usageOf(rest);
    case 'apply_patch_approval_request':
    case 'patch_apply_begin':
      return { ...rest, changes: untagged(rest.changes) };
    case 'exec_approval_request':
    case 'exec_command_begin':
      return { ...rest, command: Array.isArray(rest.command) ? rest.command : [], cwd: rest.cwd ?? '' };
    default:
      return type.endsWith('_delta') || type.endsWith('_break') ? { item_id: '', ...rest } : rest;
  }
};

/** Old releases wrote numbers, later ones base64. */
const toBytes = (chunk: unknown): Uint8Array =>
  Array.isArray(chunk) ? Uint8Array.from(chunk) : Buffer.from(typeof chunk === 'string' ? chunk : '', 'base64');

/** Old releases wrote the numbers of one answer, later ones also its sums. */
const usageOf = ({ info, rate_limits: _, ...flat }: JsonObject): JsonObject => {
  const { last_token_usage, total_token_usage: total, model_context_window } = toObject(info);
  const sums = {
    ...(isObject(total) && { total }),
    ...(typeof model_context_window === 'number' && { model_context_window }),
  };
  return { ...toObject(last_token_usage), ...flat, ...sums };
};

/** `{type: 'add', …}` as `{add: {…}}`. */
const untagged = (changes: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(changes) ? changes : {}).map(([path, change]) => {
      if (!isObject(change) || typeof change.type !== 'string') return [path, change];
      const { type, ...rest } = change;
      return [path, { [type as string]: rest }];
    }),
  );
