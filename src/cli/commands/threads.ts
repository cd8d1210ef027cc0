/** `codex-rx threads`: lists, shows, exports and removes the threads on disk. */
import { map, type Observable } from 'rxjs';
import { toVisible, toVisibleLines } from '../../io/log/toPlain';
import { colours, noColours, toTerminalLine } from '../../io/terminal/paint';
import { describeThreadError } from '../../threads/threadError';
import { defineCommand } from '../command';
import { exitWhenWritten, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { overrideOption } from '../overrideOption';
import { plainOptions } from '../plainOptions';
import { hasColours, tapeLinesFor } from '../terminal';
import { thisProcess } from '../thisProcess';
import { threadsHere } from '../threads/threadsHere';
import { toThreadTable } from '../threads/toThreadTable';

const ACTIONS = ['list', 'show', 'export', 'fork', 'archive', 'restore', 'rm'] as const;
type Action = (typeof ACTIONS)[number];
const DEFAULT_WIDTH = 100;

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
    text(here, { action, id }, options)
      .subscribe({
        next: (lines) => void process.stdout.write(lines === '' ? '' : `${lines}\n`),
        error: (error: Error) => {
          remark(describeThreadError(error));
          process.exitCode = exitCode.failed;
        },
      })
      .add(exitWhenWritten('threads'));
  },
});

const remark = remarkAs('threads');

type Here = ReturnType<typeof threadsHere>;
type Options = { json?: boolean; limit: number; archived?: boolean; out?: string; width?: number };

type Request = { action: Action; id: string };

/** What the command prints. */
const text = (here: Here, request: Request, options: Options): Observable<string> => {
  const width = options.width ?? (process.stdout.columns || DEFAULT_WIDTH);
  switch (request.action) {
    case 'list':
      return list(here, width, options);
    case 'show':
      return show(here, request.id, { ...options, width });
    case 'export':
      return here
        .toTape(request.id, options.out)
        .pipe(map((made) => (options.out === undefined ? tapeLinesFor(process.stdout, made.text) : '')));
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

type Change = { id: string; action: Exclude<Action, 'list' | 'show' | 'export'> };

const change = (here: Here, { action, id }: Change) => {
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
const toJson = (value: unknown): string => toVisibleLines(JSON.stringify(value, null, 2));

const headOf = ({
  id,
  cwd,
  path,
  cliVersion,
}: {
  id: string;
  cwd: string;
  path: string;
  cliVersion: string;
}): string[] => [
  `thread  ${id}`,
  `folder  ${toVisible(cwd)}`,
  `file    ${toVisible(path)}, written by ${toVisible(cliVersion) || 'an old Codex'}`,
  '',
];
