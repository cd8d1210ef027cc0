/** `codex-rx init`: gives a client the entry that starts this server, and takes it out again. */
import { dirname, join, resolve } from 'node:path';
import { map, type Observable, tap } from 'rxjs';
import { isNatsAddress } from '../../io/nats/natsAddress';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { type ClientFile, findClients, readClientFile, writeClientFile } from '../../settings/clients/clientFile';
import { CLIENTS, type Client, type Machine } from '../../settings/clients/clients';
import {
  argvOf,
  commandText,
  EntryError,
  entriesOf,
  entryText,
  nextEntry,
  planAll,
  planEntry,
  serverIn,
  type Wish,
} from '../../settings/clients/planEntry';
import { reasonOf } from '../../streams/text/reasons';
import { lineOf } from '../client/person';
import { defineCommand, type GivenTo } from '../command';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import type { Options } from '../option';
import { print, printScript } from '../terminal';
import { thisProcess, UsageError } from '../thisProcess';

const NAMES = Object.keys(CLIENTS);

/** Names a client too. */
const DEFAULT_ENTRY = 'codex';

const positionals = {
  client: { type: 'string', choices: NAMES, describe: 'The client; without it the clients of this machine are listed' },
  name: { type: 'string', describe: 'Name of the entry. Default: codex, or codex-rx for an agent of ACP' },
} as const;

const options = {
  undo: { type: 'boolean', describe: 'Take the entry out, or restore what was there before; unwrap a recorded server' },
  record: {
    type: 'string',
    describe: 'Record a server: its entry is wrapped by codex-rx record, with this tape or folder/',
  },
  all: { type: 'boolean', describe: 'With --record or --undo: each server of the client that a command starts' },
  print: { type: 'boolean', describe: 'Print the entry, and change nothing' },
  'dry-run': { type: 'boolean', describe: 'Print the lines that would change, and change nothing' },
} as const satisfies Options;

type Given = GivenTo<typeof options, typeof positionals>;

export const init = defineCommand({
  usage: '$0 init [CLIENT] [NAME] [--record FILE | --undo] [--print | --dry-run]',
  positionals,
  options,
  afterDashes: 'nothing',
  examples: [
    ['$0 init', 'which clients are here, and what they start'],
    ['$0 init cursor', 'Cursor starts this server from now on'],
    ['$0 init cursor docs --record tapes/', 'the server docs of Cursor is recorded, a tape for each start'],
    ['$0 init cursor docs --undo', 'and no longer'],
    ['$0 init cursor --all --record tapes/', 'all its servers are recorded; codex-rx diagram tapes/ draws a day'],
  ],
  epilogue:
    'The file is replaced as a whole, with mode 0600; its comments and its order stay. The file before is kept next to it, with the ending .before-codex-rx, until --undo.',
  problem: ({ client, undo, record, all, print: isPrint, 'dry-run': isDry, ...given }) => {
    if (all && (given.name !== undefined || isPrint)) return '--all goes without a name and without --print';
    if (all && !undo && record === undefined) return '--all goes with --record or --undo';
    if (all && record !== undefined && !/[\\/]$/.test(record))
      return '--record needs a folder for several servers: tapes/';
    const isChange = undo || record !== undefined || isPrint || isDry;
    if (client === undefined && isChange) return `Name a client: ${NAMES.join(', ')}`;
    if (given.name === '') return 'NAME needs a value';
    const isAnother = given.name !== DEFAULT_ENTRY && NAMES.includes(given.name ?? '');
    if (isAnother && !undo && record === undefined) return `Give one client, then: codex-rx init ${given.name}`;
    if (undo && record !== undefined) return 'Give --record or --undo, not both';
    return undo && isPrint ? 'Give --print or --undo, not both' : undefined;
  },
  run: (given) => {
    if (given.client !== undefined) initClient(given, given.client);
    else if (listClients() && process.stdin.isTTY && process.stderr.isTTY) {
      askForClient()
        .pipe(tap((name) => name !== '' && initClient(given, name)))
        .subscribe({ error: failAs('init') })
        .add(exitWhenWritten('init'));
    }
  },
});

/** Throws UsageError for a user without a home. */
const machineHere = (): Machine => {
  const { home, platform, codexHome, env } = thisProcess();
  if (home === undefined)
    throw new UsageError('This user has no home folder, and the files of clients lie there: set HOME');
  return { home, platform, codexHome, env };
};

/** True if there are any. */
const listClients = (): boolean => {
  const all = findClients(machineHere());
  const lines = all.map(({ name, path, entries, fault }) => {
    const own = Object.entries(entries).filter(([, entry]) => serverIn(argvOf(entry) ?? []) !== 'other');
    const text =
      fault ?? (own.map(([server, entry]) => `${server} starts ${commandText(entry)}`).join('; ') || 'no entry yet');
    return `  ${name.padEnd(15)} ${path}\n${' '.repeat(18)}${text}`;
  });
  print(
    all.length > 0
      ? `Clients of this machine:\n${lines.join('\n')}\n`
      : `No client was found. Known are ${NAMES.join(', ')}.\n`,
  );
  return all.length > 0;
};

/** Emits the name of a client, or an empty text. */
const askForClient = (): Observable<string> => {
  print('Which one is to start codex-rx? (Enter: none) ', process.stderr);
  return lineOf(process.stdin).pipe(
    map((line = '') => {
      const name = line.trim();
      if (name === '' || NAMES.includes(name)) return name;
      throw new UsageError(`${name} is not a client; there are ${NAMES.join(', ')}`);
    }),
  );
};

/** Homebrew removes the folder of a version with the next one. */
const lasting = (path: string): string => path.replace(/\/Cellar\/([^/]+)\/[^/]+\//, '/opt/$1/');

const toWish = ({ name, undo, record }: Given, client: Client): Wish => {
  const { node, dist, cwd, env, codexHome } = thisProcess();
  const isPath = record !== undefined && !isNatsAddress(record);
  const tape = isPath ? resolve(cwd, record) + (/[\\/]$/.test(record) ? '/' : '') : record;
  return {
    client,
    server: name ?? client.own.name,
    program: [lasting(node), lasting(join(dirname(dist), 'bin', 'codex-rx.js'))],
    env: env.CODEX_HOME ? { CODEX_HOME: codexHome } : {},
    action: undo ? { kind: 'undo' } : tape === undefined ? { kind: 'serve' } : { kind: 'record', tape },
  };
};

const initClient = (given: Given, name: string): void => {
  const client = CLIENTS[name] as Client;
  const wish = toWish(given, client);
  const file = readClientFile(machineHere(), client);
  const remark = remarkAs('init');
  if (given.print) {
    print(`${entryText(wish, nextEntry(wish, entriesBefore(wish, file)))}\n`);
    remark(`this belongs in ${file.path}`);
    return;
  }
  const planned = planIn(wish, file, given.all ? 'all' : 'one');
  const next = planned.text;
  for (const server of planned.left)
    remark(`${server} is not started by a command, so it stays; codex-rx record --http records it`);
  if (given['dry-run']) {
    printScript(`${[file.path, ...toChange(file.text, next)].join('\n')}\n`);
    return;
  }
  if (!file.isInstalled) remark(`${client.title} does not seem to be installed here`);
  if (next === file.text) {
    print(`${file.path} is as it should be.\n`);
    return;
  }
  writeClientFile(client, file, next);
  print(`${toText(wish, planned.servers)} ${nextStep(wish, file.path)}.\n`);
  const words = [name, ...(given.name ? [given.name] : []), ...(given.all ? ['--all'] : [])].join(' ');
  if (!given.undo) print(`Changed: ${file.path}. To undo it: codex-rx init ${words} --undo\n`);
};

/** The entries, whose members stay; none if the file cannot be read, as its error names --print as the remedy. */
const entriesBefore = ({ client }: Wish, { text }: ClientFile): JsonObject => {
  try {
    return entriesOf(client, text);
  } catch (error) {
    if (error instanceof EntryError) return {};
    throw error;
  }
};

/** Throws EntryError, which names the file. */
const planIn = (wish: Wish, file: ClientFile, which: 'one' | 'all'): ReturnType<typeof planAll> => {
  try {
    if (which === 'all') return planAll(wish, file);
    return { text: planEntry(wish, file), servers: [wish.server], left: [] };
  } catch (error) {
    throw new EntryError(`${file.path}: ${reasonOf(error)}`);
  }
};

const nextStep = ({ client: { after, afterUndo = after, advice }, action }: Wish, path: string): string => {
  if (action.kind === 'undo') return afterUndo;
  const step = after.replace('$FILE', () => path);
  return action.kind === 'serve' && advice !== undefined ? `${step}; ${advice}` : step;
};

const toText = ({ client, action }: Wish, servers: readonly string[]): string => {
  const names = servers.join(', ');
  const is = servers.length > 1 ? 'are' : 'is';
  return {
    serve: `${client.title} starts codex-rx from now on, by its entry ${names}.`,
    record: `${names} of ${client.title} ${is} recorded from now on.`,
    undo: `${names} of ${client.title} ${is} as ${is === 'is' ? 'it was' : 'they were'} before.`,
  }[action.kind];
};

/** The lines that differ: first the removed lines. */
const toChange = (before = '', after = ''): string[] => {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const start = old.findIndex((line, at) => line !== now[at]);
  const begin = start < 0 ? old.length : start;
  const longest = Math.min(old.length, now.length) - begin;
  const differs = [...Array(longest).keys()].find((at) => old.at(-1 - at) !== now.at(-1 - at));
  const end = differs ?? longest;
  const part = (lines: string[], sign: string): string[] =>
    lines.slice(begin, lines.length - end).map((line) => `${sign} ${line}`);
  return [...part(old, '-'), ...part(now, '+')];
};
