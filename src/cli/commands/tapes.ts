/** `codex-rx tapes`: searches and removes tapes of a folder, writes a tape as stable text, and manages the tapes that a team keeps on a NATS server. */
import { defer, map, type Observable, of, tap } from 'rxjs';
import { loadSessions } from '../../app/tapes/loadTape';
import { copyTape, listTapes, removeTape } from '../../app/tapes/natsTapes';
import { isNatsAddress } from '../../io/nats/natsAddress';
import { readAge, readSize, readTime } from '../../streams/text/amounts';
import { toVisible, toVisibleLines } from '../../streams/text/visible';
import { toText } from '../../tapes/diff/toText';
import { toIgnoredMethod } from '../../tapes/matching/ignore';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import { defineCommand, type GivenTo } from '../command';
import { askFirst } from '../consent';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { countOption, type Option, type Options } from '../option';
import { tapeDeps } from '../tapeCommand';
import { startPruning, startSearching } from '../tapes/startPruning';
import { print } from '../terminal';

const ACTIONS = ['search', 'prune', 'show', 'ls', 'cp', 'rm'] as const;
type Action = (typeof ACTIONS)[number];

const flawOf = (read: (text: string) => number | undefined, example: string) => (text: string) =>
  read(text) === undefined ? `${text} cannot be read; write it as in ${example}` : undefined;

const SEARCH = 'search:';
const PRUNE = 'prune:';

const options = {
  json: {
    type: 'boolean',
    describe: 'ls and search: print JSON instead of a table; search prints an object in each line',
  },
  tool: { group: SEARCH, type: 'string', describe: 'Only calls of this tool, and their results; * is any text' },
  error: { group: SEARCH, type: 'boolean', describe: 'Only errors, and results that are errors' },
  client: { group: SEARCH, type: 'string', describe: 'Only sessions of a client with this in its name' },
  since: {
    group: SEARCH,
    type: 'string',
    flawOf: flawOf((text) => readTime(text, 0), '7d, 12h or 2026-11-30'),
    describe: 'Only lines from this time on: an age, as 7d, or a date in ISO 8601',
  },
  limit: { group: SEARCH, ...countOption(100, 'So many lines are found at most') },
  'older-than': {
    group: PRUNE,
    type: 'string',
    flawOf: flawOf(readAge, '30d, 12h or 2w'),
    describe: 'Remove what was written before this age',
  },
  'max-count': { group: PRUNE, type: 'number', from: 0, whole: true, describe: 'Remove the oldest beyond this number' },
  'max-size': {
    group: PRUNE,
    type: 'string',
    flawOf: flawOf(readSize, '500MB or 2GB'),
    describe: 'Remove the oldest beyond this size of all',
  },
  keep: {
    group: PRUNE,
    type: 'number',
    from: 0,
    whole: true,
    default: 0,
    describe: 'So many of the newest stay, whatever the limits are',
  },
  'dry-run': { group: PRUNE, type: 'boolean', describe: 'Print what would be removed, and remove nothing' },
  yes: { group: PRUNE, type: 'boolean', describe: 'Remove without asking' },
} as const satisfies Options;

const positionals = {
  action: { type: 'string', required: true, choices: ACTIONS, describe: `What to do: ${ACTIONS.join(', ')}` },
  from: {
    type: 'string',
    describe:
      'The text for search (* is any); the folder for prune; nats://HOST for ls, nats://HOST/NAME for rm; any tape for cp and show',
  },
  to: {
    type: 'string',
    describe: 'search: a tape or a folder, default this folder; cp: a new tape, nats://HOST/NAME or a file',
  },
} as const;

type Given = GivenTo<typeof options, typeof positionals>;

/** The first option that is for another action. */
const problemOfOptions = (action: Action, named: ReadonlySet<string>): string | undefined => {
  const found = Object.entries<Option>(options).find(
    ([name, { group }]) => group !== undefined && group !== `${action}:` && named.has(name),
  );
  return found && `--${found[0]} goes with tapes ${found[1].group?.replace(':', '')}`;
};

/** What comes after each action, and an example of it. */
const NEEDED: Readonly<Record<Action, string>> = {
  search: 'TEXT: codex-rx tapes search "permission denied" tapes/',
  prune: 'FOLDER: codex-rx tapes prune tapes/ --older-than 30d',
  show: 'FILE: codex-rx tapes show tape.jsonl',
  ls: 'ADDRESS: codex-rx tapes ls nats://HOST',
  cp: 'FROM and TO: codex-rx tapes cp tape.jsonl nats://HOST/NAME',
  rm: 'ADDRESS: codex-rx tapes rm nats://HOST/NAME',
};

const problem = (given: Given, named: ReadonlySet<string>): string | undefined => {
  const { action, from, to } = given;
  const ofOptions = problemOfOptions(action, named);
  if (ofOptions !== undefined) return ofOptions;
  if (from === undefined) return `${action} needs ${NEEDED[action]}`;
  if (action === 'search') return undefined;
  if (action === 'cp') return to === undefined ? `cp needs ${NEEDED.cp}` : undefined;
  if (to !== undefined) return `${action} takes one ${action === 'prune' ? 'folder' : 'address'}`;
  if (action === 'prune') return problemOfPrune(from, given);
  return action === 'show' || isNatsAddress(from) ? undefined : `${action} needs the address of a server: nats://HOST`;
};

const problemOfPrune = (from: string, given: Given): string | undefined => {
  if (isNatsAddress(from)) return 'prune works on a folder; codex-rx tapes rm removes a tape of a server';
  return ['older-than', 'max-count', 'max-size'].every((name) => given[name as 'max-size'] === undefined)
    ? 'prune needs a limit: --older-than, --max-count or --max-size'
    : undefined;
};

export const tapes = defineCommand({
  usage: '$0 tapes search TEXT [FOLDER] | prune FOLDER | show FILE | ls ADDRESS | cp FROM TO | rm ADDRESS',
  positionals,
  options,
  afterDashes: 'nothing',
  examples: [
    ['$0 tapes search "permission denied" tapes/ --since 7d', 'tape and line of each message with this text'],
    ["$0 tapes search '*' tapes/ --tool 'delete_*' --error", 'all failed calls of some tools'],
    ['$0 tapes prune tapes/ --older-than 30d --max-size 2GB', 'asks before it removes the oldest tapes'],
    ['$0 tapes show tape.jsonl', 'text without times and ids, for git diff'],
    ['$0 tapes ls nats://nats.lan', 'the names, sizes and times of all tapes of a team'],
    ['$0 tapes cp tape.jsonl nats://nats.lan/nightly', 'the same to the byte'],
  ],
  epilogue:
    'Exit codes: 0 done, 1 search found nothing, 2 there is no such tape, or the server cannot be used. See docs/tapes.md and docs/fleet.md.',
  problem,
  run: (given) => {
    if (given.action === 'search') process.exitCode = exitCode.failed; // until something is found
    text(given.action, given)
      .subscribe({ next: (lines) => print(lines), error: failAs('tapes') })
      .add(exitWhenWritten('tapes'));
  },
});

/** What the command prints. */
const text = (action: Action, given: Given): Observable<string> => {
  const deps = tapeDeps('tapes');
  const { from = '', to = '', json } = given;
  switch (action) {
    case 'search':
      return search(given);
    case 'prune':
      return prune(given);
    case 'ls':
      return listTapes(deps, from).pipe(map((all) => (json ? toJson(all) : all.map(toLine).join(''))));
    case 'cp':
      return copyTape(deps, from, to).pipe(map((bytes) => `copied ${bytes} bytes to ${toVisible(to)}\n`));
    case 'show':
      return loadSessions(deps, { path: from, number: undefined }).pipe(
        map((all) => toVisibleLines(`${all.flatMap(({ session }) => toText(toSessionIndex(session))).join('\n')}\n`)),
      );
    case 'rm':
      return removeTape(deps, from).pipe(map(() => `removed ${toVisible(from)}\n`));
  }
};

const search = ({ from = '', to = '.', json, tool, error, client, since, limit }: Given): Observable<string> =>
  startSearching(tapeDeps('tapes'), to, {
    json,
    text: from === '*' ? '' : from,
    most: limit,
    client,
    ...(tool !== undefined && { tool: toIgnoredMethod(tool) }),
    ...(error && { outcome: 'failed' as const }),
    ...(since !== undefined && { sinceMs: readTime(since, Date.now()) }),
  }).pipe(
    tap(() => {
      process.exitCode = exitCode.ok;
    }),
  );

const prune = (given: Given): Observable<string> => {
  const { from: folder = '', keep, 'older-than': age = '', 'max-count': maxCount, 'max-size': size = '', yes } = given;
  const consent = yes ? () => of(true) : askFirst(process);
  const limits = { maxAgeMs: readAge(age), maxCount, maxBytes: readSize(size), keep };
  const run = given['dry-run'] ? ('dry' as const) : ('now' as const);
  return defer(() => startPruning({ ...tapeDeps('tapes'), nowMs: Date.now(), consent }, { folder, limits, run }));
};

type Listed = { name: string; bytes: number; atMs: number };

const toJson = (all: readonly Listed[]): string => {
  const listed = all.map(({ atMs, ...one }) => ({ ...one, written: new Date(atMs).toISOString() }));
  return `${JSON.stringify(listed, null, 2)}\n`;
};

const SIZE = 12;

const toLine = ({ name, bytes, atMs }: Listed): string =>
  `${new Date(atMs).toISOString()} ${String(bytes).padStart(SIZE)}  ${toVisible(name)}\n`;
