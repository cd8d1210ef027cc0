/** The calls of a rollout as the events that they were: one begin and one end of the same kind for each. */
import { isObject, type JsonObject, parseObject, toObject, wordOf } from '../../protocol/jsonrpc/json';
import { textsOf } from '../../threads/lines/prompts';
import type { RolloutItem } from '../../threads/lines/readRolloutLine';

/** An item, and the time of its line. */
export type Timed<I> = I & { ms: number | undefined };

/** What is left of the items: prompts and events. */
export type Happened = Extract<RolloutItem, { kind: 'prompt' | 'event' }>;

/** How calls end that have an event of their own, by their ids. */
export type EndKinds = Map<string, string>;

/** Notes how the call of an item ends. */
export const learnEnd = (kinds: EndKinds, item: RolloutItem): void => {
  const kind = item.kind === 'event' ? /^(.*)_end$/.exec(wordOf(item.msg.type))?.[1] : undefined;
  if (kind !== undefined && item.kind === 'event') kinds.set(wordOf(item.msg.call_id), kind);
};

/**
 * Makes events of calls and outputs, item by item. Rollouts have a call as an item of the model, as events, as an item of the turn, or as several of
 * these: the first begin and the first end count. What ends as a kind of its own, such as a patch, begins as that kind. An end without a begin is left
 * out.
 */
export const callPairer = (kinds: ReadonlyMap<string, string>): ((item: Timed<RolloutItem>) => Timed<Happened>[]) => {
  const begun = new Map<string, JsonObject>();
  const ended = new Set<string>();
  const withId = searchNamer();
  const isNew = (msg: JsonObject): boolean => {
    const [, kind, step] = /^(.*)_(begin|end)$/.exec(wordOf(msg.type)) ?? [];
    const id = wordOf(msg.call_id);
    if (kind === undefined) return true;
    if (step === 'begin') return !begun.has(id) && begun.set(id, msg) !== undefined;
    return begun.get(id)?.type === `${kind}_begin` && !ended.has(id) && ended.add(id) !== undefined;
  };
  return (item) => {
    if (item.kind === 'turnContext') return [];
    if (item.kind === 'prompt') return [item];
    const named = withId(item);
    if (named === undefined) return [];
    const msgs = named.kind === 'event' ? withBegin(named.msg, begun) : callEvents(named, { begun, kinds });
    return msgs.filter(isNew).map((msg) => ({ kind: 'event', msg, ms: item.ms }));
  };
};

type Fact = Exclude<RolloutItem, { kind: 'prompt' | 'turnContext' }>;

/** Names a search whose item has no id; undefined if its event was there before. Source: codex 0.61.0 to 0.130.0. */
const searchNamer = (): ((item: Fact) => Fact | undefined) => {
  let [named, unmatched] = [0, 0];
  return (item) => {
    if (item.kind === 'event') unmatched += item.msg.type === 'web_search_end' ? 1 : 0;
    if (item.kind !== 'call' || item.item.type !== 'web_search_call' || typeof item.item.id === 'string') return item;
    if (unmatched > 0) {
      unmatched -= 1;
      return undefined;
    }
    named += 1;
    return { ...item, item: { ...item.item, id: `search-${named}` } };
  };
};

/** Rollouts keep the ends of some calls without their begins. */
const withBegin = (msg: JsonObject, begun: ReadonlyMap<string, JsonObject>): JsonObject[] => {
  const kind = /^(.*)_end$/.exec(wordOf(msg.type))?.[1];
  if (kind === undefined || begun.has(wordOf(msg.call_id))) return [msg];
  return [{ ...beginOfEnd(msg), type: `${kind}_begin` }, msg];
};

/** The members of an end that its begin has too. */
const BEGIN_MEMBERS = ['call_id', 'turn_id', 'invocation', 'changes', 'auto_approved', 'command', 'cwd', 'parsed_cmd'];
const beginOfEnd = (msg: JsonObject): JsonObject =>
  Object.fromEntries(BEGIN_MEMBERS.flatMap((key) => (msg[key] === undefined ? [] : [[key, msg[key]]])));

type Known = { begun: ReadonlyMap<string, JsonObject>; kinds: ReadonlyMap<string, string> };

const callEvents = (item: Extract<RolloutItem, { kind: 'call' | 'output' }>, { begun, kinds }: Known): JsonObject[] => {
  if (item.kind === 'output') {
    const id = wordOf(item.item.call_id ?? '');
    const begin = begun.get(id);
    return begin === undefined || kinds.has(id) ? [] : [endCall(begin, item.item.output)];
  }
  const begin = beginCall(item.item);
  if (begin.type === 'web_search_begin')
    return [begin, { ...begin, type: 'web_search_end', query: queryOf(item.item) }];
  const kind = kinds.get(wordOf(begin.call_id));
  return kind === undefined || begin.type === `${kind}_begin` ? [begin] : [];
};

const queryOf = ({ action }: JsonObject): string => {
  const { query, queries, url } = toObject(action);
  return wordOf(query ?? (Array.isArray(queries) ? queries[0] : url) ?? '');
};

/** The beginning of a call: of a patch, a command, a search or a tool. A plan is an event without an end. */
export const beginCall = (item: JsonObject): JsonObject => {
  const call_id = wordOf(item.call_id ?? item.id ?? '');
  if (item.type === 'web_search_call') return { type: 'web_search_begin', call_id };
  const given = parseObject(wordOf(item.arguments)) ?? {};
  const name = [item.namespace, item.name].filter((part) => typeof part === 'string' && part !== '').join('__');
  const argv = argvOf(item, given);
  const patch = patchOf(name, item, given) ?? (argv?.[0] === 'apply_patch' ? argv[1] : undefined);
  if (patch !== undefined)
    return { type: 'patch_apply_begin', call_id, auto_approved: true, changes: changesOf(patch) };
  if (name === 'update_plan' && Array.isArray(given.plan))
    return { type: 'plan_update', explanation: given.explanation ?? null, plan: given.plan };
  if (argv !== undefined) {
    const cwd = wordOf(given.workdir ?? toObject(item.action).working_directory ?? '');
    return { type: 'exec_command_begin', call_id, command: argv, cwd, parsed_cmd: [] };
  }
  return { type: 'mcp_tool_call_begin', call_id, invocation: invocationOf(name, item) };
};

const argvOf = ({ action }: JsonObject, { command, cmd }: JsonObject): string[] | undefined => {
  const line = command ?? cmd ?? toObject(action).command;
  if (Array.isArray(line)) return line.map(wordOf);
  return typeof line === 'string' ? ['bash', '-lc', line] : undefined;
};

const patchOf = (name: string, { input }: JsonObject, given: JsonObject): string | undefined => {
  if (name !== 'apply_patch') return undefined;
  return [input, given.input, given.patch].find((text) => typeof text === 'string');
};

/** A tool of an MCP server has its server in its name. Two underscores part them, as many releases as there are also write `__` after the server. */
const invocationOf = (name: string, { arguments: given, input }: JsonObject): JsonObject => {
  const [, server, tool] = /^mcp__(.+?)__+(.+)$/.exec(name) ?? [];
  const parsed = typeof given === 'string' ? (parseObject(given) ?? given) : (given ?? input ?? null);
  return { server: server ?? 'codex', tool: tool ?? name, arguments: parsed };
};

const HEAD = /^\*\*\* (Add|Update|Delete) File: (.*)$/;
const MOVE = /^\*\*\* Move to: (.*)$/;

/** The changes that a patch names, by its paths, as far as its text can be read. */
const changesOf = (patch: string): JsonObject => {
  const changes: JsonObject = {};
  const lines = patch.split('\n');
  lines.forEach((line, at) => {
    const [, kind, path] = HEAD.exec(line) ?? [];
    if (path === undefined) return;
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((one) => HEAD.test(one) || one.startsWith('*** End Patch'));
    const body = end < 0 ? rest : rest.slice(0, end);
    changes[path.trim()] = toChange(kind, body);
  });
  return changes;
};

const toChange = (kind: string | undefined, body: readonly string[]): JsonObject => {
  const added = body.filter((line) => line.startsWith('+')).map((line) => `${line.slice(1)}\n`);
  if (kind === 'Add') return { add: { content: added.join('') } };
  if (kind === 'Delete') return { delete: { content: '' } };
  const move_path = body.map((line) => MOVE.exec(line)?.[1]).find((path) => path !== undefined) ?? null;
  return { update: { unified_diff: body.filter((line) => !MOVE.test(line)).join('\n'), move_path } };
};

/** The end of a call of the kind of its begin. */
export const endCall = (begin: JsonObject, given: unknown): JsonObject => {
  const { text, code } = readOutput(given);
  const { call_id } = begin;
  switch (begin.type) {
    case 'patch_apply_begin':
      return {
        type: 'patch_apply_end',
        call_id,
        stdout: text,
        stderr: '',
        success: code === 0,
        changes: begin.changes,
      };
    case 'mcp_tool_call_begin': {
      const Ok = { content: [{ type: 'text', text }], isError: false };
      return { type: 'mcp_tool_call_end', call_id, invocation: begin.invocation, duration: NO_TIME, result: { Ok } };
    }
    default: {
      const output = { stdout: text, stderr: '', aggregated_output: text, exit_code: code };
      return { type: 'exec_command_end', call_id, ...output, duration: NO_TIME, formatted_output: text };
    }
  }
};

const NO_TIME = { secs: 0, nanos: 0 };

const readOutput = (output: unknown): { text: string; code: number } => {
  const content = isObject(output) ? output.content : output;
  const whole =
    typeof content === 'string' ? content : textsOf(content).join('') || JSON.stringify(content ?? output ?? '');
  const { output: inner, metadata } = parseObject(whole) ?? {};
  const code = isObject(metadata)
    ? metadata.exit_code
    : /^(?:Exit code|Process exited with code):? (-?\d+)/m.exec(whole)?.[1];
  return {
    text: typeof inner === 'string' ? inner : whole,
    code: Number(wordOf(code ?? (isFailed(output, whole) ? 1 : 0))),
  };
};

/** Source: codex 0.142.0 to 0.171.0, outputs of patches and commands that failed, were rejected, or were stopped with their turn. */
const isFailed = (output: unknown, text: string): boolean =>
  (isObject(output) && output.success === false) ||
  /^(apply_patch verification failed|execution error|failed to |aborted|(exec command|patch) rejected)/.test(text);
