/** `codex-rx threads`: lists, shows, exports and removes the threads on disk. */
import { randomUUID } from 'node:crypto';
import { defer, forkJoin, map, type Observable, take, toArray } from 'rxjs';
import type { EngineOptions } from '../../agent/engineOptions';
import { configDeps } from '../../agent/wiring/wiring';
import { openThreads } from '../../app/openThreads';
import { writeTape } from '../../app/tapes/writeFiles';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { backpressureOf } from '../../io/stdio/writeLines';
import { colours, noColours, type Paint, toTerminalLine } from '../../io/terminal/paint';
import type { Log } from '../../protocol/log';
import { readThreadStore } from '../../settings/readThreadStore';
import type { Backpressure } from '../../streams/backpressure';
import { mapMany } from '../../streams/gather';
import { toVisible } from '../../streams/text/visible';
import { toChart } from '../../tapes/diagram/toChart';
import { toTerminal } from '../../tapes/drawing/toTerminal';
import { type Session, type TapeItem, toSessions } from '../../tapes/format/tape';
import { toTapeLine } from '../../tapes/format/tapeLines';
import { objectLines, sessionImporter } from '../../tapes/import/importSession';
import { importTwice } from '../../tapes/import/importTwice';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import { threadFolder } from '../../threads/listing/rolloutFiles';
import type { ThreadSummary } from '../../threads/listing/threadSummary';
import { describeThreadError, ThreadError } from '../../threads/threadError';
import type { ThreadStore } from '../../threads/threadStore';
import { defineCommand } from '../command';
import { overrideOption, plainOptions } from '../commonOptions';
import { exitWhenWritten, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { ageOf, TABLE_WIDTH, toTable } from '../table';
import { hasColours, printPainted } from '../terminal';
import { thisProcess } from '../thisProcess';

const ACTIONS = ['list', 'show', 'export', 'fork', 'archive', 'restore', 'rm'] as const;
type Action = (typeof ACTIONS)[number];

export const threads = defineCommand({
  usage: '$0 threads [list | show ID | export ID | fork ID | archive ID | restore ID | rm ID]',
  positionals: {
    action: { type: 'string', choices: ACTIONS, describe: 'What to do. Default: list' },
    id: { type: 'string', describe: 'The thread: its id, or the beginning of it' },
  },
  options: {
    json: { type: 'boolean', describe: 'Print JSON instead of text' },
    limit: { type: 'number', from: 1, default: 50, describe: 'list: show at most this many threads, the newest' },
    archived: { type: 'boolean', describe: 'list: show the archived threads' },
    out: { alias: 'o', type: 'string', describe: 'export: a new file for the tape. Default: stdout' },
    config: overrideOption('Set a key of config.toml, such as thread_store'),
    width: { alias: 'w', type: 'number', from: 30, describe: 'Characters per line. Default: the terminal, or 100' },
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 threads', 'the newest threads, those of the Codex CLI too'],
    ['$0 threads show 01a204a1', 'one thread in marbles'],
    ['$0 threads export 01a204a1 -o tape.jsonl', 'the same as a tape, for every command on tapes'],
    ['$0 threads fork 01a204a1', 'another thread with the same past'],
    [
      '$0 threads archive 01a204a1',
      'move it to the archived ones; restore brings it back, rm removes a thread for good',
    ],
  ],
  epilogue:
    'Exit codes: 0 done, 1 there is no such thread, or another process uses it, 2 the command line cannot be used.',
  problem: ({ action = 'list', id }) => {
    if (action === 'list') return id === undefined ? undefined : 'list takes no id';
    return id === undefined ? `${action} needs the id of a thread` : undefined;
  },
  run: ({ action = 'list', id = '', config, ...options }) => {
    const settings = { ...plainOptions, overrides: config };
    const here = threadsHere({ processInfo: thisProcess(), options: settings, log: (_, message) => remark(message) });
    text(here, { action, id }, { ...options, reader: backpressureOf(process.stdout, MAX_WAITING_BYTES) })
      .subscribe({
        next: (lines) => printPainted(lines === '' ? '' : `${lines}\n`),
        error: (error: Error) => {
          remark(describeThreadError(error));
          process.exitCode = exitCode.failed;
        },
      })
      .add(exitWhenWritten('threads'));
  },
});

const remark = remarkAs('threads');

/** A thread may be longer than what can wait for a slow reader. */
const MAX_WAITING_BYTES = 1_048_576;

type Here = ReturnType<typeof threadsHere>;
type Options = {
  json?: boolean;
  limit: number;
  archived?: boolean;
  out?: string;
  width?: number;
  reader: Backpressure;
};

/** What the command prints. */
const text = (here: Here, request: { action: Action; id: string }, options: Options): Observable<string> => {
  const width = options.width ?? (process.stdout.columns || TABLE_WIDTH);
  switch (request.action) {
    case 'list':
      return list(here, width, options);
    case 'show':
      return show(here, request.id, { ...options, width });
    case 'export':
      return here.toTape(request.id, options.out, options.reader);
    default:
      return change(here, { ...request, action: request.action }).pipe(
        map(({ word, summary }) => (options.json ? toJson(summary) : `${word} ${summary.id}`)),
      );
  }
};

const list = (here: Here, width: number, { json, limit, archived = false }: Options): Observable<string> =>
  here.list({ limit, archived }).pipe(
    map((all) => {
      if (json) return toJson(all);
      if (all.length > 0) return toThreadTable(all, { width, nowMs: Date.now() }).join('\n');
      remark(`there are no threads in ${here.folder({ archived })}`);
      return '';
    }),
  );

const show = (here: Here, id: string, { json, width }: Options & { width: number }): Observable<string> =>
  here
    .show(id, { paint: hasColours(process) ? colours : noColours, width })
    .pipe(
      map(({ summary, lines }) =>
        json ? toJson(summary) : [...headOf(summary), ...lines].map(toTerminalLine).join('\n'),
      ),
    );

const change = (here: Here, { action, id }: { id: string; action: Exclude<Action, 'list' | 'show' | 'export'> }) => {
  const changes = {
    fork: { word: 'forked as', summary$: here.fork(id) },
    archive: { word: 'archived', summary$: here.archive(id) },
    restore: { word: 'restored', summary$: here.restore(id) },
    rm: { word: 'removed', summary$: here.remove(id) },
  };
  const { word, summary$ } = changes[action];
  return summary$.pipe(map((summary) => ({ word, summary })));
};

/** A stored thread may hold terminal control characters that JSON leaves as they are. */
const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

const headOf = ({ id, cwd, path, cliVersion }: ThreadSummary): string[] => [
  `thread  ${id}`,
  `folder  ${toVisible(cwd)}`,
  `file    ${toVisible(path)}, written by ${toVisible(cliVersion) || 'an old Codex'}`,
  '',
];

type ThreadsDeps = { processInfo: ProcessInfo; options: EngineOptions; log: Log };

type Look = { paint: Paint; width: number };

/** The stored threads. All Observables but that of a tape emit once; they error with ThreadError, FileError or TapeError. */
type ThreadsHere = Pick<ThreadStore, 'list' | 'archive' | 'restore' | 'remove'> & {
  /** Where threads are: a folder, or the address of their store. */
  folder: (of: { archived: boolean }) => string;
  fork: (ref: string) => Observable<ThreadSummary>;
  /** Draws a thread in marbles. */
  show: (ref: string, look: Look) => Observable<{ summary: ThreadSummary; lines: string[] }>;
  /** A thread as a session of a tape. */
  session: (ref: string) => Observable<{ summary: ThreadSummary; session: Session }>;
  /** Makes a tape of a thread of any size: writes it if a file is named, else emits its lines in pieces, as fast as they are read. */
  toTape: (ref: string, out: string | undefined, reader?: Backpressure) => Observable<string>;
};

/** The threads of the store that the configuration names. Throws ConfigError. */
export const threadsHere = (deps: ThreadsDeps): ThreadsHere => {
  const store = openThreads(deps);
  const items$ = tapeItems(deps, store);
  const session = (ref: string) =>
    forkJoin([store.read(ref).pipe(take(1)), items$(ref).pipe(toArray())]).pipe(
      map(([{ summary }, items]) => {
        const [session] = toSessions(items.flat()).sessions;
        if (session === undefined) throw new ThreadError(`The thread ${summary.id} holds nothing`);
        return { summary, session };
      }),
    );
  return {
    ...store,
    folder: (of) => readThreadStore(configDeps(deps)) ?? threadFolder(deps.processInfo.codexHome, of),
    fork: (ref) => store.fork(ref, randomUUID()),
    session,
    show: (ref, look) => session(ref).pipe(map(({ summary, session }) => ({ summary, lines: drawn(session, look) }))),
    toTape: (ref, out, reader) =>
      out === undefined
        ? items$(ref, reader).pipe(map((items) => items.map(toTapeLine).join('\n')))
        : items$(ref).pipe(writeTape(out)),
  };
};

const drawn = (session: Session, look: Look): string[] =>
  toTerminal(toChart(toSessionIndex(session)), { ...look, axis: 'ordinal' });

/** One thread as the items of a tape. */
const tapeItems =
  ({ processInfo }: ThreadsDeps, store: ThreadStore) =>
  (ref: string, reader?: Backpressure): Observable<readonly TapeItem[]> =>
    defer(() => {
      const format = { kind: 'rollout', lines: objectLines } as const;
      const importer = sessionImporter(format, `codex-rx ${processInfo.version} threads`, () => {});
      return importTwice(store.read(ref, reader).pipe(mapMany(({ lines }) => lines)), importer);
    });

type TableOptions = {
  /** Characters of a line. */
  width: number;
  /** Ms since 1970. */
  nowMs: number;
};

const HEAD = ['id', 'last used', 'folder', 'title'];
const FOLDER_WIDTH = 30;

/** The lines of a table; control characters from a thread are escaped. */
export const toThreadTable = (threads: readonly ThreadSummary[], { width, nowMs }: TableOptions): string[] => {
  const rows = threads.map(({ id, writtenMs, cwd, preview, name = preview }) => [
    id,
    ageOf(nowMs - writtenMs),
    tailOf(toVisible(cwd)),
    toVisible(name.replaceAll(/\s+/g, ' ')),
  ]);
  return toTable(HEAD, rows, width);
};

/** The end of a path says more than its beginning. */
const tailOf = (path: string): string => (path.length <= FOLDER_WIDTH ? path : `…${path.slice(1 - FOLDER_WIDTH)}`);
