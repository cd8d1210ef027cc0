/** Observes what sessions touch: tools, arguments, values, members of results, tasks, prompts, resources, errors. */
import { isObject, type JsonObject, toObject, wordOf } from '../../protocol/jsonrpc/json';
import { toCanonical } from '../matching/matchKey';
import { callsOf, type Part } from '../session/readParts';
import type { Call, IndexedMessage } from '../session/sessionIndex';
import { isEndOfTask, shownTask } from '../session/sessionTasks';
import { inItems, inMember, ROOT } from './schemaPoints';

/** How often a member was there, and with which values. */
type Seen = { count: number; values: Set<string> };

/** Members by their places. */
export type SeenMembers = Map<string, Seen>;

/** What was seen of a tool or a prompt. */
export type SeenCalls = {
  count: number;
  failures: number;
  /** How many were answered with a task. */
  tasks: number;
  given: SeenMembers;
  results: SeenMembers;
};

/** What was seen in all sessions. Maps, as a tape may use names of the members of every object. */
export type Observed = {
  tools: Map<string, SeenCalls>;
  prompts: Map<string, SeenCalls>;
  /** URIs that were read. */
  resources: Set<string>;
  /** Codes of errors that the server sent, and how often. */
  errors: Map<number, number>;
  /** The tools of tasks whose end was not seen, by the ids of the tasks. */
  tasks: Map<string, SeenCalls>;
  /** Methods of tasks: which were called, and which belong to the tasks that were seen. */
  taskMethods: { called: Set<string>; known: Set<string> };
};

/** Before the first session. */
export const nothingObserved = (): Observed => ({
  tools: new Map(),
  prompts: new Map(),
  resources: new Set(),
  errors: new Map(),
  tasks: new Map(),
  taskMethods: { called: new Set(), known: new Set() },
});

/** How much is kept: a tape of any size fits in memory. More names, places and values than this are those of no schema. */
const MAX = { names: 10_000, places: 2_000, values: 200, chars: 200, codes: 1_000 };

/** Adds the calls of a part of a session. */
export const observePart = (observed: Observed, part: Part): void => {
  const { index, isLast } = part;
  for (const call of callsOf(part)) {
    const request = index.messages[call.request];
    if (call.from === 'client' && request && (isLast || call.outcome !== 'open'))
      observeCall(observed, call, { request, response: index.messages[call.response ?? -1] });
  }
  for (const { message } of index.messages) {
    const shown = shownTask(message);
    if (shown?.status === 'input_required') observed.taskMethods.known.add('tasks/update');
    if (shown && isEndOfTask(shown)) endTask(observed, shown.taskId, shown.status === 'failed' ? FAILED : shown.result);
  }
};

const FAILED = { isError: true };

/** The result of a task is that of the call which it answers. */
const endTask = ({ tasks }: Observed, taskId: unknown, result: unknown): void => {
  const seen = tasks.get(wordOf(taskId));
  if (seen === undefined) return;
  tasks.delete(wordOf(taskId));
  observeResult(seen, result);
};

const observeResult = (seen: SeenCalls, result: unknown): void => {
  const { structuredContent, isError } = toObject(result);
  if (isError === true) seen.failures += 1;
  if (structuredContent !== undefined) observeValue(seen.results, ROOT, structuredContent);
};

type Exchange = { request: IndexedMessage; response: IndexedMessage | undefined };

const observeCall = (observed: Observed, { outcome }: Call, { request, response }: Exchange): void => {
  const { message } = request;
  if (message.kind !== 'request') return;
  const { name, uri, arguments: given } = toObject(message.params);
  const body: JsonObject = response?.message.kind === 'response' ? response.message.body : {};
  const { code } = toObject(body.error);
  if (typeof code === 'number' && hasRoom(observed.errors, code, MAX.codes))
    observed.errors.set(code, (observed.errors.get(code) ?? 0) + 1);
  if (message.method === 'resources/read' && typeof uri === 'string' && outcome === 'answered') {
    if (observed.resources.size < MAX.names) observed.resources.add(uri);
  }
  if (message.method.startsWith('tasks/') && observed.taskMethods.called.size < MAX.names)
    observed.taskMethods.called.add(message.method);
  if (message.method === 'tasks/result') endTask(observed, toObject(message.params).taskId, body.result ?? FAILED);
  const kind = KIND_OF[message.method];
  if (kind === undefined || typeof name !== 'string') return;
  const seen = callsOfName(observed[kind], name);
  seen.count += 1;
  if (outcome === 'failed') seen.failures += 1;
  observeValue(seen.given, ROOT, given ?? {});
  observeResult(seen, body.result);
  observeTask(observed, seen, toObject(body.result));
};

/** A call that was answered with a task. Source: MCP 2025-11-25, and its extension io.modelcontextprotocol/tasks. */
const observeTask = ({ tasks, taskMethods }: Observed, seen: SeenCalls, result: JsonObject): void => {
  const isExtension = result.resultType === 'task';
  const taskId = isExtension ? result.taskId : toObject(result.task).taskId;
  if (typeof taskId !== 'string') return;
  seen.tasks += 1;
  for (const method of isExtension ? EXTENSION_METHODS : CORE_METHODS) taskMethods.known.add(method);
  if (hasRoom(tasks, taskId, MAX.names)) tasks.set(taskId, seen);
};

const EXTENSION_METHODS = ['tasks/get', 'tasks/cancel'];
const CORE_METHODS = ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'];

const KIND_OF: Readonly<Partial<Record<string, 'tools' | 'prompts'>>> = {
  'tools/call': 'tools',
  'prompts/get': 'prompts',
};

const hasRoom = <K>(map: ReadonlyMap<K, unknown>, key: K, max: number): boolean => map.has(key) || map.size < max;

const callsOfName = (all: Map<string, SeenCalls>, name: string): SeenCalls => {
  const seen = all.get(name) ?? { count: 0, failures: 0, tasks: 0, given: new Map(), results: new Map() };
  if (hasRoom(all, name, MAX.names)) all.set(name, seen);
  return seen;
};

const observeValue = (members: SeenMembers, key: string, value: unknown): void => {
  const seen = members.get(key) ?? { count: 0, values: new Set() };
  if (!hasRoom(members, key, MAX.places)) return;
  members.set(key, seen);
  seen.count += 1;
  if (Array.isArray(value)) for (const item of value) observeValue(members, inItems(key), item);
  else if (isObject(value))
    for (const [name, part] of Object.entries(value)) observeValue(members, inMember(key, name), part);
  else if (seen.values.size < MAX.values && wordOf(value).length <= MAX.chars) seen.values.add(toCanonical(value));
};
