/** `codex-rx demo`: shows a whole session with an embedded model. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { catchError, connect, map, merge, type Observable, of, timer, using } from 'rxjs';
import { version } from '../../../package.json';
import { temporaryFolder } from '../../io/disk/temporaryFolders';
import { readIfThere, realPathOf } from '../../io/paths/look';
import { fromPeer } from '../../io/processes/fromChild';
import { childrenHere } from '../../io/processes/spawnHere';
import { serverProcess } from '../../io/serverProcess/serverProcess';
import { writeLines } from '../../io/stdio/writeLines';
import { colours, noColours, toTerminalLine } from '../../io/terminal/paint';
import { counter } from '../../streams/counter';
import { ofKind } from '../../streams/ofKind';
import { lineOf } from '../client/person';
import { toolClient } from '../client/toolClient';
import { defineCommand } from '../command';
import { liveJson, liveMarbles } from '../demo/live';
import { type DemoDeps, runDemo, type Shown } from '../demo/runDemo';
import { demoCalls, FILE, scriptFor, toAnswer } from '../demo/scene';
import { remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../signals';
import { hasColours, inLocale } from '../terminal';
import { drawDeps, startDrawing } from './diagram';

const PAGE = { axis: 'ordinal', taken: 'error', paint: noColours, width: 0 } as const;
const MIN_WIDTH = 60;
const MAX_WIDTH = 80;

export const demo = defineCommand({
  usage: '$0 demo',
  positionals: {},
  options: {
    ask: { type: 'boolean', describe: 'Let you answer the approval request, with y or n, instead of approving it' },
    raw: { type: 'boolean', describe: 'Show the JSON lines on the wire instead of marbles' },
    keep: { type: 'boolean', describe: 'Keep the temporary folders, a tape of the session and its page' },
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 demo', 'watch a call, an approval, a command, a file'],
    ['$0 demo --ask', 'approve or decline yourself'],
    ['$0 demo --raw', 'see the JSON lines on the wire'],
  ],
  run: ({ ask, raw, keep }) => {
    startDemo(demoProcess(), {
      answers: ask ? 'person' : 'yes',
      draw: raw ? 'json' : 'marbles',
      colour: hasColours(process) ? 'on' : 'off',
      leave: keep ? 'folders' : 'nothing',
    })
      .pipe(
        connect((shown$) =>
          merge(
            shown$.pipe(
              ofKind('line'),
              map(({ text }) => inLocale(toTerminalLine(text), process.stdout)),
              writeLines(process.stdout),
            ),
            shown$.pipe(ofKind('over')),
          ),
        ),
      )
      .subscribe({
        next: ({ exitCode: code }) => {
          process.exitCode = code;
        },
        error: (error: Error) => {
          remarkAs('demo')(`the demonstration failed: ${error.message}`);
          process.exitCode = exitCode.failed;
        },
      })
      .add(() => process.exit()); // after every teardown: the server has ended and the folders are removed
  },
});

const demoProcess = () => {
  const { stdin, stdout, env, execPath } = process;
  return {
    env,
    execPath,
    bin: join(__dirname, '..', 'bin', 'codex-rx.js'),
    version,
    width: Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, stdout.columns || MAX_WIDTH)),
    stdin,
    drawPage: (tape: string, page: string) => startDrawing(drawDeps('demo'), tape, { ...PAGE, out: page }),
    stop$: stopSignal().pipe(map(() => 'it was stopped')),
  };
};

/** Facts of the process. */
type DemoSurroundings = {
  env: Record<string, string | undefined>;
  execPath: string;
  /** Path of this program. */
  bin: string;
  version: string;
  /** Columns of the terminal. */
  width: number;
  stdin: Readable;
  /** Draws a tape as a page, a new file. Emits when it is written. */
  drawPage: (tape: string, page: string) => Observable<unknown>;
  stop$: Observable<string>;
};

type DemoOptions = {
  answers: 'yes' | 'person';
  draw: 'marbles' | 'json';
  colour: 'on' | 'off';
  leave: 'nothing' | 'folders';
};

/** How long the scripted yes takes, so that the question can be read. */
const THINK_MS = 700;
const LIMIT_MS = 60_000;
/** A person gets as long as the server waits. */
const PERSON_LIMIT_MS = 660_000;

/** The demonstration, ready to run. Emits what is shown; the temporary folders are gone when it is over. */
export const startDemo = (surroundings: DemoSurroundings, options: DemoOptions): Observable<Shown> =>
  using(
    () => makeWorkspace({ parent: temporaryFolder(), keep: options.leave === 'folders' }),
    (workspace) => runDemo(toDeps(surroundings, options, workspace as Workspace)),
  );

const toDeps = (surroundings: DemoSurroundings, options: DemoOptions, workspace: Workspace): DemoDeps => {
  const { env, version, width, stdin, stop$, bin, drawPage } = surroundings;
  const person = options.answers === 'person';
  const lines = { paint: options.colour === 'on' ? colours : noColours, width };
  return {
    ...lines,
    client: toolClient({
      newId: counter(0),
      name: 'codex-rx-demo',
      version,
      answer: () => (person ? readYes(stdin) : timer(THINK_MS).pipe(map(() => true))).pipe(map(toAnswer)),
      calls: demoCalls(workspace.work),
    }),
    server: serverProcess(
      fromPeer(childrenHere(), {
        argv: argvOf(surroundings, options, workspace),
        cwd: workspace.work,
        env: environment(env, workspace),
      }),
    ),
    live: options.draw === 'json' ? liveJson(lines) : liveMarbles(lines),
    stop$,
    limitMs: person ? PERSON_LIMIT_MS : LIMIT_MS,
    written: workspace.written,
    program: ['node', bin], // by its path, as no registry has a package of its name
    ...(person && { hint: lines.paint('yellow', 'May it run? Type y or n, then Enter:') }),
    ...(options.leave === 'folders' && { kept$: keptOf(workspace, drawPage) }),
  };
};

const keptOf = ({ root, tape }: Workspace, drawPage: DemoSurroundings['drawPage']): Observable<string[]> => {
  const page = join(root, 'session.html');
  return drawPage(tape, page).pipe(
    map(() => [root, tape, page]),
    catchError(({ message }: Error) => of([root, message])),
  );
};

const argvOf = ({ execPath, bin }: DemoSurroundings, { leave }: DemoOptions, { script, tape }: Workspace): string[] => [
  execPath,
  bin,
  'mcp-server',
  ...['-m', 'scripted-model'],
  ...['-c', 'model_provider=scripted'],
  ...['-c', `model_providers.scripted.script=${script}`],
  ...(leave === 'folders' ? ['--record', tape] : []),
];

const PASSED = ['PATH', 'Path', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'LANG'];

/** Nothing of the user's own home, keys or settings. */
const environment = (env: DemoSurroundings['env'], { home }: Workspace): Record<string, string> => ({
  ...Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ),
  HOME: home,
  CODEX_HOME: home,
});

/** True for a line with `y` or `yes`; an input that ends without a line counts as no. */
const readYes = (stdin: Readable): Observable<boolean> =>
  lineOf(stdin).pipe(map((line) => /^\s*y(es)?\s*$/i.test(line ?? '')));

/** The temporary folders of the demonstration. */
type Workspace = {
  /** The folder of all the others. */
  root: string;
  home: string;
  work: string;
  script: string;
  /** The tape of a demonstration that is kept. */
  tape: string;
  /** Reads the file that the agent should have made. */
  written: () => string | undefined;
  /** Removes all. */
  unsubscribe: () => void;
};

/** Makes the folders and the script in `parent`; with `keep` they stay. */
export const makeWorkspace = ({ parent, keep }: { parent: string; keep: boolean }): Workspace => {
  const root = mkdtempSync(join(realPathOf(parent) ?? parent, 'codex-rx-demo-'));
  const [home, work] = [join(root, 'codex-home'), join(root, 'work')];
  const script = join(home, 'answers.json');
  mkdirSync(home);
  mkdirSync(work);
  writeFileSync(script, `${JSON.stringify(scriptFor(process), null, 2)}\n`);
  return {
    root,
    home,
    work,
    script,
    tape: join(root, 'session.jsonl'),
    written: () => readIfThere(join(work, FILE)),
    unsubscribe: () => {
      if (!keep) rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};
