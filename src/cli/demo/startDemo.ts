/** Wires the demonstration to this machine: temporary folders, the server as a real process, the person. */

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  concat,
  concatMap,
  connect,
  defaultIfEmpty,
  EMPTY,
  last,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  take,
  takeUntil,
  timer,
  using,
} from 'rxjs';
import { temporaryFolder } from '../../io/disk/temporaryFolders';
import { readIfThere, realPathOf } from '../../io/paths/look';
import { fromPeer } from '../../io/processes/fromChild';
import { watchGroups } from '../../io/processes/watchGroups';
import { serverProcess } from '../../io/serverProcess/serverProcess';
import { fromReadable } from '../../io/stdio/fromInput';
import { colours, noColours } from '../../io/terminal/paint';
import { decodeMessages } from '../../protocol/jsonrpc/decodeMessage';
import { encodeMessage } from '../../protocol/jsonrpc/encodeMessage';
import { METHOD_NOT_FOUND, type Notification, type Request, type Response } from '../../protocol/jsonrpc/messages';
import { request } from '../../protocol/rpc/request';
import { noBackpressure } from '../../streams/backpressure';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { counter } from '../../streams/counter';
import { byKind } from '../../streams/ofKind';
import { type DemoDeps, demo, type Shown } from './demo';
import { liveJson, liveMarbles } from './live';
import { initialized, toAnswer, toCodex, toInitialize, toListTools, toReply, toToolResult } from './messages';
import { FILE, SCRIPT } from './scene';

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
  stop$: Observable<string>;
};

/** Who answers the question, how it is drawn, and what is left behind. */
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
    (workspace) => demo(toDeps(surroundings, options, workspace as Workspace)),
  );

const toDeps = (surroundings: DemoSurroundings, options: DemoOptions, workspace: Workspace): DemoDeps => {
  const { env, version, width, stdin, stop$, bin } = surroundings;
  const person = options.answers === 'person';
  const lines = { paint: options.colour === 'on' ? colours : noColours, width };
  return {
    ...lines,
    client: demoClient({
      newId: counter(0),
      approve: person ? () => readYes(stdin) : () => timer(THINK_MS).pipe(map(() => true)),
      cwd: workspace.work,
      version,
    }),
    server: serverProcess(
      fromPeer(
        { spawn, backpressure: noBackpressure, signals: constants.signals, watch: watchGroups({ spawn }) },
        { argv: argvOf(surroundings, workspace), cwd: workspace.work, env: environment(env, workspace) },
      ),
    ),
    live: options.draw === 'json' ? liveJson(lines) : liveMarbles(lines),
    stop$,
    limitMs: person ? PERSON_LIMIT_MS : LIMIT_MS,
    written: workspace.written,
    serve: serveCommand(bin),
    ...(person && { hint: lines.paint('yellow', 'May it run? Type y or n, then Enter:') }),
    ...(options.leave === 'folders' && { kept: workspace.root }),
  };
};

const argvOf = ({ execPath, bin }: DemoSurroundings, { script }: Workspace): string[] => [
  execPath,
  bin,
  'mcp-server',
  ...['-m', 'scripted-model'],
  ...['-c', 'model_provider=scripted'],
  ...['-c', `model_providers.scripted.script=${script}`],
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

/** One line of the person; no line at all is a no. */
const readYes = (stdin: Readable): Observable<boolean> =>
  fromReadable<Uint8Array>(stdin, noBackpressure).pipe(
    decodeUtf8(),
    splitLines(),
    take(1),
    map((line) => /^\s*y(es)?\s*$/i.test(line)),
    defaultIfEmpty(false),
  );

/** How a client starts this very program: by its path, as no registry has a package of its name. */
export const serveCommand = (bin: string): string[] => ['node', bin, 'mcp-server'];

/** The temporary folders of the demonstration. */
type Workspace = {
  /** Holds the others. */
  root: string;
  home: string;
  work: string;
  script: string;
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
  writeFileSync(script, `${JSON.stringify(SCRIPT, null, 2)}\n`);
  return {
    root,
    home,
    work,
    script,
    written: () => readIfThere(join(work, FILE)),
    unsubscribe: () => {
      if (!keep) rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};

type ClientDeps = {
  newId: () => number;
  /** Emits whether the person accepts a question. */
  approve: (question: Request) => Observable<boolean>;
  /** The folder that the agent works in. */
  cwd: string;
  version: string;
};

type Outgoing = Request | Notification | Response;

/**
 * Initializes, lists the tools, calls `codex`, answers the questions of the server meanwhile, and continues the thread by
 * `codex-reply`.
 * Emits lines. Completes after the last answer, or at the first that is an error.
 *   in  --I---L--Q----C---R|    (responses, Q the question)
 *   out i-(nl)c----y--r---|     (requests, n the ready notification, y the person's yes)
 */
export const demoClient =
  (deps: ClientDeps): OperatorFunction<string, string> =>
  (line$) =>
    line$.pipe(
      decodeMessages(),
      connect((message$) => {
        const [response$, question$] = byKind(message$, 'response', 'request');
        return story(deps, response$).pipe(
          connect((outgoing$) =>
            merge(outgoing$, question$.pipe(concatMap(answer(deps)), takeUntil(outgoing$.pipe(last(null, null))))),
          ),
        );
      }),
      map(encodeMessage),
    );

const story = ({ newId, cwd, version }: ClientDeps, response$: Observable<Response>): Observable<Outgoing> => {
  const askAny = request({ response$, newId });
  const ask = (
    question: (id: number) => Request,
    then: (answer: Response) => Observable<Outgoing>,
  ): Observable<Outgoing> =>
    askAny<Outgoing>(
      (id) => question(id as number),
      (response) => ('error' in response ? EMPTY : then(response)),
    );
  return ask(toInitialize(version), () =>
    concat(
      of(initialized),
      ask(toListTools, () =>
        ask(toCodex(cwd), (response) => {
          const result = toToolResult(response);
          return result ? ask(toReply(result.threadId), () => EMPTY) : EMPTY;
        }),
      ),
    ),
  );
};

const answer =
  ({ approve }: ClientDeps) =>
  (question: Request): Observable<Response> =>
    question.method === 'elicitation/create'
      ? approve(question).pipe(map((isYes) => toAnswer(question, isYes)))
      : of({
          kind: 'response',
          id: question.id,
          error: { code: METHOD_NOT_FOUND, message: `Method not found: ${question.method}` },
        });
