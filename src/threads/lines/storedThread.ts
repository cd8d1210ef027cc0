/** Reads a whole rollout: the id of its thread, its settings, its conversation. */
import type { SettingType } from '../../protocol/codex/settingRow';
import { fromRows, type ThreadSettings } from '../../protocol/codex/settings';
import { withTurnSettings } from '../../protocol/codex/turnSettings';
import { isObject, type JsonObject, toObject, withoutUndefined } from '../../protocol/jsonrpc/json';
import type { TokenUsage } from '../../protocol/model/events';
import type { ResponseItem } from '../../protocol/model/items';
import { atOnce, type Pausing } from '../../streams/pausing';
import type { ChangedSettings, OwnEnvironment, OwnFolder, OwnFolders } from './rolloutEntry';
import { isSessionStart, toSessionStart } from './sessionStart';
import { addLine, noItems, type ReadItems, toItems } from './storedItems';
import { hasUsage, storedUsage } from './tokenCount';

/** A thread as its rollout holds it. */
export type StoredThread = {
  /** Its id. */
  id: string;
  /** The settings of its last turn, as a call would ask for them. */
  settings: ThreadSettings;
  /** The conversation. */
  items: ResponseItem[];
  /** The machine that has its files; absent for this one. */
  environment?: OwnEnvironment;
  /** Where its folders led. A folder of which the rollout says nothing had no links of a user. */
  folders: OwnFolders;
  /** The tokens that it has used. */
  usage?: TokenUsage;
  /** How many tokens the provider counted of the items before `upTo`. */
  counted?: { tokens: number; upTo: number };
  /** The number of the next line, in a rollout whose lines are counted. */
  nextOrdinal?: number;
};

/** True unless a line is an event that only clients need. @param head the beginning of the line */
export const isOfThread = (head: string): boolean => !/"type":\s*"event_msg"/.test(head) || STATE.test(head);

const STATE = /"type":\s*"(?:task_started|task_complete|turn_aborted|thread_rolled_back|token_count)"/;

/** What has been read of a rollout. Its lists grow in place. */
export type ReadLines = ReadItems & {
  head?: JsonObject;
  /** The lines that are neither items nor events; in old rollouts all. */
  others: JsonObject[];
  /** The last line with what the thread has used. */
  usage?: JsonObject;
  /** The number of the last line that has one. */
  ordinal?: number;
};

/** Of a rollout of which nothing has been read. */
export const nothingRead = (): ReadLines => ({ ...noItems(), others: [] });

/** Adds the next lines of a rollout; lines that `isOfThread` leaves out may be missing. One object for all lines: a rollout may have 100,000. */
export const addLines = (before: ReadLines, lines: readonly JsonObject[]): ReadLines => {
  let { head, usage, ordinal } = before;
  let read: ReadItems = before;
  for (const line of lines) {
    if (head === undefined) head = line;
    else read = addLine(read, line);
    if (typeof line.ordinal === 'number') ordinal = line.ordinal;
    if (hasUsage(line)) usage = line;
    else if (line.type !== 'response_item' && line.type !== 'event_msg') before.others.push(line);
  }
  const { items, turns, isRunning, isRolledBack, counted } = read;
  return { items, turns, isRunning, isRolledBack, counted, head, others: before.others, usage, ordinal };
};

/** The thread of a rollout whose lines have all been read; undefined if its first line does not start one. */
export const toThread = (read: ReadLines): StoredThread | undefined => atOnce(makeThread(read));

/** Makes the thread in steps: it may have hundreds of thousands of items. */
export function* makeThread(read: ReadLines): Pausing<StoredThread | undefined> {
  const { head, others: lines, usage: last, ordinal } = read;
  if (head === undefined || !isSessionStart(head)) return undefined;
  const meta = isObject(head.payload) ? head.payload : head;
  const known = knownIn(lines, meta);
  const environment = environmentOf(known);
  const settings = settingsOf(lines, known, environment);
  const usage = last && storedUsage(last);
  yield;
  const items = yield* toItems(read);
  const counted = yield* countedIn(read, items.length);
  yield; // what follows has a turn of its own
  return {
    id: toSessionStart(head).threadId,
    settings,
    items,
    ...(environment !== undefined && { environment }),
    folders: { ...plainFolders(settings), ...foldersOf(known) },
    ...(usage !== undefined && { usage }),
    ...(counted !== undefined && { counted }),
    ...(ordinal !== undefined && { nextOrdinal: ordinal + 1 }),
  };
}

/** The settings of the last turn of a rollout, without its conversation; none if its first line does not start one. */
export const settingsIn = (lines: readonly JsonObject[]): ThreadSettings => {
  const [head] = lines;
  if (head === undefined || !isSessionStart(head)) return {};
  const known = knownIn(lines, isObject(head.payload) ? head.payload : head);
  return settingsOf(lines, known, environmentOf(known));
};

/** What a rollout says of its thread. */
type Known = {
  /** In its first line. */
  meta: JsonObject;
  /** Of its turns. */
  contexts: readonly JsonObject[];
  /** What this program keeps in these for itself, where it has something: most of the thousands of turns of a thread have nothing. */
  own: readonly JsonObject[];
};

const knownIn = (lines: readonly JsonObject[], meta: JsonObject): Known => {
  const contexts: JsonObject[] = [];
  const own = isObject(meta.codex_rx) ? [meta.codex_rx] : [];
  for (const { type, payload } of lines) {
    if (type !== 'turn_context' || !isObject(payload)) continue;
    contexts.push(payload);
    if (isObject(payload.codex_rx)) own.push(payload.codex_rx);
  }
  return { meta, contexts, own };
};

/** The last count; the items after it are counted as the conversation has them. */
function* countedIn({ counted, ...read }: ReadLines, length: number): Pausing<StoredThread['counted']> {
  if (counted === undefined) return undefined;
  const later = yield* toItems({ ...read, items: read.items.slice(counted.items) });
  return { tokens: counted.tokens, upTo: Math.max(0, length - later.length) };
}

/** The first line names the provider, the last context all else; 0.28.0 writes settings only for the model to read. */
const settingsOf = (
  lines: readonly JsonObject[],
  known: Known,
  environment: OwnEnvironment | undefined,
): ThreadSettings => {
  const { meta, contexts } = known;
  const found = contexts.at(-1) ?? environmentIn(lines);
  const { sandbox_policy: policy } = found;
  const { config, ...own } = ownSettings(known);
  const cwd = textOf(found.cwd) ?? meta.cwd;
  const sandbox_policy = isObject(policy) ? (policy.type ?? policy.mode) : policy;
  return withoutUndefined({
    ...namedIn({ ...found, cwd, sandbox_policy }),
    config: withoutUndefined({
      ...config,
      environment_id: environment?.id,
      model_provider: textOf(meta.model_provider),
      ...keysIn(found),
      sandbox_workspace_write: isObject(policy) && policy.type === 'workspace-write' ? writesOf(policy) : undefined,
    }),
    ...own,
  });
};

/** The arguments of a call, as a turn context has them. */
const namedIn = (context: JsonObject): ThreadSettings =>
  fromRows(({ stored, argument, type }, name) =>
    argument && stored?.in === 'turn_context' ? [name, ofType(type, context[stored.name] || undefined)] : null,
  );

/** The settings without an argument, by their keys: a profile of the thread overrides these. */
const keysIn = (context: JsonObject): JsonObject =>
  fromRows(({ stored, argument, key }) =>
    key && !argument && stored?.in === 'turn_context' ? [key.name, textOf(context[stored.name])] : null,
  );

/** What this program keeps for itself; a later context changes what is before it, as its call did. Without `codex_rx` the base instructions are Codex's own. */
const ownSettings = ({ meta: { codex_rx, base_instructions: base }, own }: Known): ThreadSettings => {
  const first = { ...(isObject(codex_rx) && isObject(base) && { baseInstructions: base.text }), ...toObject(codex_rx) };
  const later = own.filter((one) => one !== codex_rx && hasNameless(one));
  return later.map(namelessIn).reduce<ThreadSettings>(withTurnSettings, namelessIn(first));
};

/** The settings that a turn context has no name for. */
const namelessIn = (own: JsonObject): ChangedSettings =>
  fromRows(({ stored, type }, name) =>
    stored === null || stored.in === 'turn_context' ? null : [name, ofType(type, own[name])],
  );

const NAMELESS = Object.keys(
  fromRows<object>(({ stored }, name) => (stored === null || stored.in === 'turn_context' ? null : [name, 0])),
);

/** Most of the thousands of turns that a thread may have change nothing. */
const hasNameless = (own: JsonObject): boolean => NAMELESS.some((name) => own[name] !== undefined);

/** The value, if it is of the type. */
const ofType = (type: SettingType, value: unknown): unknown => {
  if (typeof type === 'object') return type.find((word) => word === value);
  return typeof value === { text: 'string', flag: 'boolean', whole: 'number', table: 'object' }[type]
    ? value
    : undefined;
};

/** The environment of the last turn that names one, else the environment of the first line. */
const environmentOf = ({ own }: Known): OwnEnvironment | undefined => {
  const { id, executor } = toObject(own.findLast(({ environment }) => isObject(environment))?.environment);
  return typeof id === 'string' ? { id, ...(typeof executor === 'string' && { executor }) } : undefined;
};

/** Codex, and releases before this, keep the path that the call named. */
const plainFolders = ({ cwd, config = {} }: ThreadSettings): OwnFolders => {
  const { sandbox_workspace_write: writes } = config;
  const roots = isObject(writes) && Array.isArray(writes.writable_roots) ? writes.writable_roots : [];
  const named = [cwd, ...roots].filter((path) => typeof path === 'string' && path.startsWith('/')); // other systems write a path in several ways
  return Object.fromEntries(named.map((path) => [path, { path }]));
};

/** A later context overrides the first line. */
const foldersOf = ({ own }: Known): OwnFolders => {
  const found = own.flatMap(({ folders }) => Object.entries(toObject(folders)));
  return Object.fromEntries(found.flatMap(([named, folder]) => (isFolder(folder) ? [[named, folder]] : [])));
};

const isFolder = (value: unknown): value is OwnFolder =>
  isObject(value) && typeof value.path === 'string' && ['number', 'undefined'].includes(typeof value.owner);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const writesOf = (policy: JsonObject): JsonObject =>
  withoutUndefined({
    writable_roots: Array.isArray(policy.writable_roots)
      ? policy.writable_roots.filter((root) => typeof root === 'string')
      : undefined,
    network_access: flagOf(policy.network_access),
    exclude_tmpdir_env_var: flagOf(policy.exclude_tmpdir_env_var),
    exclude_slash_tmp: flagOf(policy.exclude_slash_tmp),
  });

const flagOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** Source: Codex 0.28.0, CORE 4.6. */
const ENVIRONMENT = /^[ \t]*<(cwd|approval_policy|sandbox_mode)>([^<\n]*)<\/\1>$/gm;

const environmentIn = (lines: readonly JsonObject[]): JsonObject => {
  const text = lines.map(textIn).findLast((each) => each.trimStart().startsWith('<environment_context>')) ?? '';
  const found = [...text.matchAll(ENVIRONMENT)].map(([, key, value]) => [key, value]);
  const { sandbox_mode, ...rest } = Object.fromEntries(found);
  return { ...rest, sandbox_policy: sandbox_mode };
};

const textIn = ({ content }: JsonObject): string => {
  const [part] = Array.isArray(content) ? content : [];
  return isObject(part) && typeof part.text === 'string' ? part.text : '';
};
