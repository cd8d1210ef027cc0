/** A program as a server under test: its lines, and how it ended. */
import { concatMap, defer, EMPTY, map, tap, throwError } from 'rxjs';
import { fromPeer } from '../io/processes/fromChild';
import { childrenHere } from '../io/processes/spawnHere';
import { type ServerEvent, serverProcess, withProcessId } from '../io/serverProcess/serverProcess';
import { toFramed } from '../streams/bytes/splitMessages';
import { followedBy } from '../streams/ends';
import type { Server } from './server';

/** How a program is run. */
export type StdioOptions = {
  /** Default: the folder of the tests. */
  cwd?: string;
  /** Default: the environment of the tests. */
  env?: Record<string, string | undefined>;
  /** Is called with each line of its stderr. */
  log?: (line: string) => void;
  /** How messages are sent: in `lines`, or after headers as language servers and debug adapters expect them. Both are read. Default: `lines`. */
  framing?: 'lines' | 'contentLength'; // `Framing` of streams, whose types are not among those of the package
};

/** A program could not be started, or ended with another exit code than 0. */
export class ServerError extends Error {
  override name = 'ServerError';
}

const MAX_LOG = 10;
const GRACE = { inputMs: 500, termMs: 500 };

/**
 * A program that reads lines from stdin and writes lines to stdout. It is started for each session, and ended with it,
 * with all processes that it started.
 * Errors after its last line with ServerError, which holds the last lines of its stderr.
 */
export const stdio = (command: readonly string[], options: StdioOptions = {}): Server => {
  const { cwd, env, log = () => {}, framing = 'lines' } = options;
  const deps = childrenHere();
  const spec = { argv: command, cwd: cwd ?? process.cwd(), env: toEnv(env ?? process.env), grace: GRACE };
  const toMessage = toFramed(framing);
  return (line$) =>
    line$.pipe(
      map((line) => toMessage(framing === 'lines' ? line : withProcessId(line, process.pid))),
      (input$) => defer(() => input$.pipe(serverProcess(fromPeer(deps, spec)))),
      tap((event) => event.kind === 'log' && log(event.line)),
      followedBy<ServerEvent, Ending>(addEvent, { reason: '', log: [] }, (ending) =>
        ending.reason === '' ? EMPTY : throwError(() => new ServerError(toText(ending))),
      ),
      concatMap((event) => (event.kind === 'line' ? [event.line] : [])),
    );
};

type Ending = {
  /** '' for a program that ended well. */
  reason: string;
  /** The last lines of its stderr. */
  log: readonly string[];
};

const addEvent = (ending: Ending, event: ServerEvent): Ending => {
  if (event.kind === 'ended') return { ...ending, reason: event.trouble };
  return event.kind === 'log' ? { ...ending, log: [...ending.log, event.line].slice(-MAX_LOG) } : ending;
};

const toText = ({ reason, log }: Ending): string => [reason, ...log.map((line) => `stderr: ${line}`)].join('\n  ');

const toEnv = (env: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
