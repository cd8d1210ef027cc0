/** What `init` makes of a client's file: the entry of a server is added, wrapped by the recorder, or undone; all else stays as it is. */
import { isObject, type JsonObject, toObject, withoutUndefined } from '../../protocol/jsonrpc/json';
import { reasonOf } from '../../streams/text/reasons';
import { joinWords } from '../../streams/text/words';
import type { Client } from './clients';

/** A file that cannot be changed as asked; the message names the cause and the remedy. */
export class EntryError extends Error {
  override name = 'EntryError';
}

/** What is asked. */
export type Wish = {
  client: Client;
  /** The name of the server's entry. */
  server: string;
  /** What starts this program, before the name of a command. */
  program: readonly string[];
  /** Variables that the server needs. */
  env: JsonObject;
  action: { kind: 'serve' } | { kind: 'record'; tape: string } | { kind: 'undo' };
};

/** Texts of the client's file: now, and before this program changed it first; undefined if there is none. */
export type Texts = { text: string | undefined; backup: string | undefined };

/** The entries of a file by name. Throws EntryError if it cannot be read. */
export const entriesOf = ({ format, servers, title }: Client, text: string | undefined): JsonObject => {
  try {
    const table = format.read(text ?? '')[servers];
    if (table === undefined || isObject(table)) return table ?? {};
    throw new Error(`${servers} is not a table`);
  } catch (error) {
    throw new EntryError(
      `the file of ${title} cannot be read: ${reasonOf(error)}; mend it, or add the entry yourself: see --print`,
    );
  }
};

/** The command line of an entry; undefined if it has none, as for a server behind a URL. */
export const argvOf = (entry: unknown): string[] | undefined => {
  const { command, args } = toObject(entry);
  const all = typeof command === 'string' ? [command, ...(Array.isArray(args) ? args : [])] : command;
  return Array.isArray(all) && all.length > 0 && all.every((word) => typeof word === 'string') ? all : undefined;
};

const PROGRAM = /(?:^|[\\/])codex-(?:rx|mcp-server)(?:\.js|\.cmd|@[\w.-]+)?$/;

/** The command line that a recorder of this program wraps; undefined for one without a recorder. */
export const wrappedIn = (argv: readonly string[]): string[] | undefined => {
  const at = argv.indexOf('record');
  const dashes = argv.indexOf('--', at);
  return at > 0 && dashes > at && PROGRAM.test(argv[at - 1] ?? '') ? argv.slice(dashes + 1) : undefined;
};

/** Which server a command line starts, also behind a recorder. */
export const serverIn = (argv: readonly string[]): 'codex-rx' | 'codex' | 'other' => {
  const words = wrappedIn(argv) ?? argv;
  if (words.some((word) => PROGRAM.test(word))) return 'codex-rx';
  const isCodex = words.some((word) => /(?:^|[\\/@])codex(?:\.js|\.cmd|\.exe|@[\w.-]+)?$/.test(word));
  return isCodex && words.some((word) => word === 'mcp-server' || word === 'mcp') ? 'codex' : 'other';
};

/** Programs that run the file or package that they are given. */
const LAUNCHER = /(?:^|[\\/])(?:node|npx|bunx|bun)(?:\.exe|\.cmd)?$/;

/** Whether a command line starts this server, also behind a recorder. Other commands of this program, and folders of its name, are not the server. */
export const startsThisServer = (argv: readonly string[]): boolean => {
  const words = wrappedIn(argv) ?? argv;
  const at = words.findIndex((word) => PROGRAM.test(word));
  const [first = '', ...options] = words.slice(0, Math.max(at, 0));
  const isRun = at === 0 || (LAUNCHER.test(first) && options.every((word) => word.startsWith('-')));
  const [command] = at < 0 ? ['none'] : words.slice(at + 1);
  return command === undefined || command.startsWith('-') ? isRun : /^mcp(?:-server)?$/.test(command);
};

/** The entry that starts this server. */
const ownEntry = ({ client, program, env }: Wish, argv = [...program, client.own.command]): JsonObject => ({
  ...client.extra,
  ...withArgv(client, {}, argv),
  ...(Object.keys(env).length > 0 && { [client.env]: env }),
});

const withArgv = ({ command }: Client, entry: JsonObject, argv: readonly string[]): JsonObject => {
  const [program, ...args] = argv;
  return {
    ...entry,
    ...(command === 'list' ? { command: argv } : { command: program, args: args.length > 0 ? args : undefined }),
  };
};

/** The text of the file afterwards; undefined if there is to be no file. Throws EntryError. */
export const planEntry = (wish: Wish, texts: Texts): string | undefined => {
  const { client, server, action } = wish;
  const entries = entriesOf(client, texts.text);
  const entry = entries[server];
  if (action.kind !== 'undo') return changed(client, texts.text ?? '', { server, entry: nextEntry(wish, entries) });
  if (entry === undefined) throw new EntryError(`${missingText(wish, entries)}, so there is nothing to undo`);
  const [argv = [], before] = [argvOf(entry), entriesOf(client, texts.backup)[server]];
  const wrapped = wrappedIn(argv);
  if (serverIn(argv) !== 'codex-rx') {
    if (wrapped === undefined)
      throw new EntryError(`${server} of ${client.title} does not start codex-rx, so there is nothing to undo`);
    const unwrapped = withArgv(client, toObject(entry), wrapped);
    const isBefore = isObject(before) && membersOf(withArgv(client, before, wrapped)) === membersOf(unwrapped);
    return undone(client, texts, { server, entry: isBefore ? before : unwrapped }); // an empty list of arguments comes back
  }
  const isOwn = serverIn(argvOf(before) ?? []) === 'codex-rx';
  return undone(client, texts, { server, entry: isOwn ? undefined : before });
};

/** What becomes of a file in which all servers are recorded, or none any more. */
type PlanOfAll = {
  text: string | undefined;
  /** The names of the entries that are changed. */
  servers: string[];
  /** The names of the entries without a command, which stay. */
  left: string[];
};

/** The same for each entry that a command starts; an undo only unwraps. Throws EntryError. */
export const planAll = (wish: Omit<Wish, 'server'>, texts: Texts): PlanOfAll => {
  const entries = Object.entries(entriesOf(wish.client, texts.text));
  const [started, left] = [true, false].map((is) =>
    entries.filter(([, entry]) => (argvOf(entry) !== undefined) === is),
  );
  const isUndo = wish.action.kind === 'undo';
  const servers = (started ?? [])
    .filter(([, entry]) => !isUndo || wrappedIn(argvOf(entry) ?? []) !== undefined)
    .map(([server]) => server);
  const text = servers.reduce((now, server) => {
    const isOwn = serverIn(argvOf(entriesOf(wish.client, now)[server]) ?? []) === 'codex-rx';
    const action = isUndo && isOwn ? { kind: 'serve' as const } : wish.action;
    return planEntry({ ...wish, server, action }, { ...texts, text: now });
  }, texts.text);
  return { text, servers, left: isUndo ? [] : (left ?? []).map(([server]) => server) };
};

/** The entry of the server, changed as asked. Throws EntryError. @param entries of the file, by name */
export const nextEntry = (wish: Wish, entries: JsonObject): JsonObject => {
  const { client, server, program, action } = wish;
  const entry = entries[server];
  const argv = argvOf(entry);
  const found = argv && serverIn(argv);
  if (action.kind === 'record') return recordedEntry(wish, entries, action.tape);
  if (entry !== undefined && (found === undefined || found === 'other')) {
    throw new EntryError(
      `${server} of ${client.title} is another server; name ours differently: codex-rx init CLIENT NAME`,
    );
  }
  if (entry === undefined || argv === undefined) return ownEntry(wish);
  const words = wrappedIn(argv) ?? argv;
  const options = words.slice(
    words.findLastIndex((word) => /^(?:mcp(?:-server)?|acp)$/.test(word) || PROGRAM.test(word)) + 1,
  );
  return withEnv(
    wish,
    withArgv(client, { ...client.extra, ...toObject(entry) }, [...program, client.own.command, ...options]),
  );
};

/** Variables of the entry stay. */
const withEnv = ({ client, env }: Wish, entry: JsonObject): JsonObject =>
  Object.keys(env).length === 0 ? entry : { ...entry, [client.env]: { ...toObject(entry[client.env]), ...env } };

const recordedEntry = (wish: Wish, entries: JsonObject, tape: string): JsonObject => {
  const { client, server, program } = wish;
  const entry = entries[server];
  const recorder = [...program, 'record', '--quiet', '--out', tape, '--'];
  if (entry === undefined && server === client.own.name)
    return ownEntry(wish, [...recorder, ...program, client.own.command]);
  const argv = argvOf(entry);
  if (argv !== undefined) return withArgv(client, toObject(entry), [...recorder, ...(wrappedIn(argv) ?? argv)]);
  if (entry === undefined) throw new EntryError(missingText(wish, entries));
  throw new EntryError(
    `${server} of ${client.title} is not started by a command; for a server behind a URL use codex-rx record --http`,
  );
};

const missingText = ({ client, server }: Wish, entries: JsonObject): string => {
  const names = Object.keys(entries);
  return `${client.title} has no entry ${server}${names.length === 0 ? '' : ` (it has ${names.join(', ')})`}`;
};

type Change = { server: string; entry: unknown };

/** The text without the change. If only entries differ from the backup, they are written into it, so that each comment comes back. */
const undone = (client: Client, { text = '', backup }: Texts, change: Change): string | undefined => {
  const [now, before] = [text, backup].map((one) => entriesOf(client, one)) as [JsonObject, JsonObject];
  if (JSON.stringify(before[change.server]) === JSON.stringify(change.entry)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => name !== change.server);
    const others = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(before[name]));
    const base = others.reduce((all, name) => changed(client, all, { server: name, entry: now[name] }), backup ?? '');
    if (changed(client, base, { ...change, entry: now[change.server] }) === text) return base === '' ? backup : base;
  }
  return changed(client, text, change);
};

/** Only the members of the entry that differ are written. */
const changed = (client: Client, text: string, change: Change): string => {
  const { format, servers } = client;
  const { server, entry } = change;
  const path = [servers, server];
  const now = entriesOf(client, text)[server];
  try {
    if (!isObject(now) || !isObject(entry))
      return checked(client, text, { ...change, after: format.set(text, path, entry) });
    const names = [...new Set([...Object.keys(now), ...Object.keys(entry)])];
    const differing = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(entry[name]));
    const after = differing.reduce((all, name) => format.set(all, [...path, name], entry[name]), text);
    return checked(client, text, { ...change, after });
  } catch (error) {
    throw error instanceof EntryError ? error : new EntryError(`${FORM}: ${reasonOf(error)}`);
  }
};

const FORM = 'the file is written in a form that is not changed here; add the entry yourself, see --print';

/** Reads what will be written, and returns it if all but the entry is as before. */
const checked = (client: Client, text: string, { server, entry, after }: Change & { after: string }): string => {
  const [before, now] = [text, after].map((one) => ({ all: client.format.read(one), entries: entriesOf(client, one) }));
  const rest = (given: typeof before): string => {
    const { [client.servers]: _, ...others } = given?.all ?? {};
    const { [server]: __, ...entries } = given?.entries ?? {};
    return JSON.stringify([others, entries]);
  };
  const isSame = rest(before) === rest(now) && membersOf(now?.entries[server]) === membersOf(entry);
  if (!isSame) throw new EntryError(FORM);
  return after;
};

/** The members in one order, because a new one is written where there is room. */
const membersOf = (entry: unknown): string | undefined =>
  JSON.stringify(
    isObject(entry) ? Object.entries(withoutUndefined(entry)).sort(([a], [b]) => (a < b ? -1 : 1)) : entry,
  );

/** An entry for people, as they would write it down. */
export const entryText = ({ client, server }: Wish, entry: JsonObject): string =>
  client.format.set('', [client.servers, server], entry).trim();

/** The command line of an entry for people. */
export const commandText = (entry: unknown): string => joinWords(argvOf(entry) ?? []);
