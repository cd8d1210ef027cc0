/** Imports the output of `codex exec --json`: each turn becomes a call of `codex` or `codex-reply`, without a prompt if the output has none. */
import { isObject, type JsonObject, toObject, wordOf } from '../../protocol/jsonrpc/json';
import type { RolloutItem } from '../../threads/lines/readRolloutLine';
import type { Importer, Report } from './importer';
import { itemReader } from './itemReader';

/** Whether a line is of this kind. Source: codex 0.28.0 (`msg`), 0.42.0 with `--experimental-json` (`session`), 0.50.0 to 0.171.0 (`thread.started`). */
export const isExecLine = ({ type, msg, id }: JsonObject): boolean =>
  START.test(wordOf(type)) ||
  /^(turn|item)\.(started|updated|completed|failed)$/.test(wordOf(type)) ||
  (typeof id === 'string' && isObject(msg) && typeof msg.type === 'string');

const START = /^(thread\.started|session\.(created|resumed))$/;

/** Reads the output as a session on MCP. It has no times: each entry comes 1 ms after the previous one. */
export const fromExec = (report: Report): Importer => {
  let threadId: string | undefined;
  let run = 0;
  let isAnswered = false;
  const items = itemReader(readExecLine, report);
  return {
    ...items,
    learn: (line) => {
      const id = line.value.thread_id ?? line.value.session_id ?? toObject(line.value.msg).session_id;
      if (typeof id === 'string') threadId ??= id;
      items.learn(line);
    },
    begin: () => {
      const thread = threadId ?? 'unknown';
      return { meta: { thread }, entries: items.begin({ threadId: thread, startedMs: 0 }) };
    },
    read: (line) => {
      if (START.test(wordOf(line.value.type))) run += 1;
      isAnswered = isAnsweredAfter(isAnswered, line.value);
      return items.read(run > 1 ? { ...line, value: ofRun(line.value, run) } : line);
    },
    end: () => [...(isAnswered ? items.read({ lineNumber: 0, value: { msg: TASK_COMPLETE } }) : []), ...items.end()],
  };
};

/** Whether the run ends with an answer after a line. Source: codex 0.28.0 to 0.42.0, which does not print that the task is complete. */
const isAnsweredAfter = (before: boolean, { msg }: JsonObject): boolean => {
  const type = wordOf(toObject(msg).type ?? '');
  return type === 'agent_message' || (before && /^(|token_count|turn_diff)$/.test(type));
};

/** Each run counts its items from 0, and a file may hold several runs. */
const ofRun = (value: JsonObject, run: number): JsonObject =>
  isObject(value.item) ? { ...value, item: { ...value.item, id: `${run}:${wordOf(value.item.id)}` } } : value;

/** The items of a line, as those of a rollout; undefined for a line of an unknown kind. */
export const readExecLine = (line: JsonObject): RolloutItem[] | undefined => {
  const { type, item, usage, error, message, msg, prompt, workdir } = line;
  if (isObject(msg)) return [event(msg)];
  if (typeof prompt === 'string') return [{ kind: 'prompt', text: prompt }];
  if (typeof workdir === 'string') return [];
  switch (type) {
    case 'thread.started':
      return [];
    case 'session.created':
    case 'session.resumed':
      return [{ kind: 'prompt', text: '' }];
    case 'turn.started':
      return [event({ type: 'task_started' }), { kind: 'prompt', text: '' }];
    case 'turn.completed':
      return [...tokens(usage), END];
    case 'turn.failed':
      return [event({ type: 'error', message: wordOf(toObject(error).message ?? 'the turn failed') }), END];
    case 'error':
      return [event({ type: RETRY.test(wordOf(message)) ? 'stream_error' : 'error', message: wordOf(message) })];
    default:
      return isObject(item) ? readItem(item, type === 'item.completed') : undefined;
  }
};

/** A request that is made again is printed as an error. Source: codex 0.160.0. */
const RETRY = /^Reconnecting\.\.\./;

const event = (msg: JsonObject): RolloutItem => ({ kind: 'event', msg });

const TASK_COMPLETE = { type: 'task_complete', last_agent_message: null };
const END = event(TASK_COMPLETE);

const tokens = (usage: unknown): RolloutItem[] =>
  isObject(usage)
    ? [
        event({
          type: 'token_count',
          info: { total_token_usage: usage, last_token_usage: usage, model_context_window: null },
          rate_limits: null,
        }),
      ]
    : [];

/** Undefined for an item of an unknown kind. Source of `item_type` and `assistant_message`: codex 0.42.0. */
const readItem = (item: JsonObject, isDone: boolean): RolloutItem[] | undefined => {
  switch (item.type ?? item.item_type) {
    case 'agent_message':
    case 'assistant_message':
      return isDone ? [event({ type: 'agent_message', message: wordOf(item.text ?? '') })] : [];
    case 'reasoning':
      return isDone ? [event({ type: 'agent_reasoning', text: wordOf(item.text ?? '') })] : [];
    case 'todo_list':
      return isDone ? [] : [event({ type: 'plan_update', explanation: null, plan: stepsOf(item.items) })];
    case 'error':
      return [event({ type: 'warning', message: wordOf(item.message ?? '') })];
    default:
      return callOf(item, isDone);
  }
};

const stepsOf = (items: unknown): JsonObject[] =>
  Array.isArray(items)
    ? items
        .map(toObject)
        .map(({ text, completed }) => ({ step: wordOf(text), status: completed === true ? 'completed' : 'pending' }))
    : [];

/** A call that is done has its begin too: the line of its begin may be missing. */
const callOf = (item: JsonObject, isDone: boolean): RolloutItem[] | undefined => {
  const read = CALLS[wordOf(item.type ?? item.item_type)];
  if (read === undefined) return undefined;
  const { kind, begin, end } = read(item);
  const call_id = wordOf(item.id);
  const first = event({ type: `${kind}_begin`, call_id, ...begin });
  return isDone ? [first, event({ type: `${kind}_end`, call_id, ...end })] : [first];
};

type Call = { kind: string; begin: JsonObject; end: JsonObject };

const duration = { secs: 0, nanos: 0 };

/** The text has the shell in front, and the script in quotes if it needs them. */
const argvOf = (text: string): string[] => {
  const [, shell, flag, script = ''] = /^(\S*sh) (-l?c) (.*)$/s.exec(text) ?? [];
  if (shell === undefined || flag === undefined) return ['bash', '-lc', text];
  return [shell, flag, /^'.*'$/s.test(script) ? script.slice(1, -1).replaceAll("'\\''", "'") : script];
};

/** The kinds of calls, by the types of their items. */
const CALLS: Readonly<Record<string, (item: JsonObject) => Call>> = {
  command_execution: ({ command, aggregated_output, exit_code }) => {
    const text = wordOf(aggregated_output ?? '');
    const output = { stdout: text, stderr: '', aggregated_output: text, formatted_output: text };
    return {
      kind: 'exec_command',
      begin: { command: argvOf(wordOf(command)), cwd: '', parsed_cmd: [] },
      end: { ...output, exit_code: Number(wordOf(exit_code ?? -1)), duration },
    };
  },
  file_change: (item) => {
    const changes = Object.fromEntries(pathsOf(item.changes));
    const end = { stdout: '', stderr: '', success: item.status === 'completed', changes };
    return { kind: 'patch_apply', begin: { auto_approved: true, changes }, end };
  },
  mcp_tool_call: ({ server, tool, arguments: given, result, error }) => {
    const invocation = { server, tool, arguments: given ?? null };
    const outcome = isObject(error) ? { Err: wordOf(error.message) } : { Ok: result ?? { content: [] } };
    return { kind: 'mcp_tool_call', begin: { invocation }, end: { invocation, duration, result: outcome } };
  },
  collab_tool_call: ({ tool, prompt, receiver_thread_ids, agents_states, status }) => {
    const invocation = { server: 'codex', tool, arguments: { prompt, receiver_thread_ids } };
    const text = JSON.stringify(agents_states ?? {});
    const outcome = status === 'failed' ? { Err: text } : { Ok: { content: [{ type: 'text', text }], isError: false } };
    return { kind: 'mcp_tool_call', begin: { invocation }, end: { invocation, duration, result: outcome } };
  },
  web_search: ({ query }) => ({ kind: 'web_search', begin: {}, end: { query: wordOf(query ?? '') } }),
};

const CHANGES: Readonly<Record<string, JsonObject>> = {
  add: { add: { content: '' } },
  delete: { delete: { content: '' } },
  update: { update: { unified_diff: '', move_path: null } },
};

const pathsOf = (changes: unknown): [string, JsonObject][] =>
  Array.isArray(changes)
    ? changes
        .map(toObject)
        .map(({ path, kind }) => [wordOf(path), CHANGES[wordOf(kind)] ?? (CHANGES.update as JsonObject)])
    : [];
