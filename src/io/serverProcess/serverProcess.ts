/** Reads a server that runs as a child process: its lines, its log, its end. */
import { connect, filter, map, merge, type Observable, type OperatorFunction, pipe } from 'rxjs';
import { isObject, toJson } from '../../protocol/jsonrpc/json';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { splitMessages } from '../../streams/bytes/splitMessages';
import type { PeerEvent } from '../processes/fromChild';

/**
 * An event of the server. `trouble` is how its process failed, '' when it ended well; `exitCode` is undefined if it did not
 * start, `signal` is set if a signal ended it. `status` is the status of an HTTP response that is an error.
 */
export type ServerEvent =
  | { kind: 'line'; line: string; status?: number }
  | { kind: 'log'; line: string }
  | { kind: 'ended'; trouble: string; exitCode?: number; signal?: NodeJS.Signals };

type Output = Extract<PeerEvent, { kind: 'output' }>;
type End = Extract<PeerEvent, { kind: 'exited' | 'failed' }>;

/**
 * A peer process as a stream of lines.
 *   in  oo-e--x-z|    (o stdout, e stderr, x exited, z closed)
 *   out ll-g--E--|    (l lines, g log, E ended)
 */
export const serverProcess =
  <T>(peer: OperatorFunction<T, PeerEvent>): OperatorFunction<T, ServerEvent> =>
  (line$) =>
    peer(line$).pipe(
      connect((event$) =>
        merge(
          event$.pipe(
            linesOf('stdout'),
            map((line) => ({ kind: 'line' as const, line })),
          ),
          event$.pipe(
            linesOf('stderr'),
            map((line) => ({ kind: 'log' as const, line })),
          ),
          event$.pipe(
            filter((event): event is End => event.kind === 'exited' || event.kind === 'failed'),
            map((end) => ({
              kind: 'ended' as const,
              trouble: toTrouble(end),
              ...codeOf(end),
            })),
          ),
        ),
      ),
    );

const linesOf =
  (stream: Output['stream']) =>
  (event$: Observable<PeerEvent>): Observable<string> =>
    event$.pipe(
      filter((event): event is Output => event.kind === 'output' && event.stream === stream),
      map(({ chunk }) => chunk),
      stream === 'stdout' ? splitMessages() : pipe(decodeUtf8(), splitLines()),
    );

const codeOf = (end: End): { exitCode?: number; signal?: NodeJS.Signals } => {
  if (end.kind === 'failed') return {};
  const { exitCode, signal } = end;
  return { exitCode, ...(signal !== undefined && { signal }) };
};

const toTrouble = (end: End): string => {
  if (end.kind === 'failed') return `the server could not be started: ${end.reason}`;
  if (end.signal !== undefined) return `the server was ended by ${end.signal}`;
  return end.exitCode === 0 ? '' : `the server ended with exit code ${end.exitCode}`;
};

/**
 * The `initialize` of a language client with this process in the place of the recorded one; any other line as it is. A language server ends
 * when the process of its client does. Source: Language Server Protocol 3.17, initialize.
 */
export const withProcessId = (line: string, pid: number): string => {
  if (!line.includes('"processId"')) return line;
  const { value, messages } = parseLine(line);
  const [message] = messages;
  if (message?.kind !== 'request' || message.method !== 'initialize' || !isObject(value) || !isObject(value.params))
    return line;
  if (typeof value.params.processId !== 'number') return line;
  return toJson({ ...value, params: { ...value.params, processId: pid } });
};

/** How Node has loaded this program. */
export type OwnModules = {
  /** Paths of what this process was started by, and of the files that it has loaded by now. */
  loaded: () => string[];
  /** The folders in which Node looks for the packages of a script in this folder, in its order. */
  foldersFor: (folder: string) => string[];
};

/**
 * Facts of the process that only cli may read. `home` is the home folder of the user, absolute, absent if there is none, `systemHome` that which the
 * system has for the user, whatever HOME says; `codexHome` and `cwd` are absolute too, `dist` is the folder of the program, `node` what runs it.
 */
export type ProcessInfo = {
  env: Record<string, string | undefined>;
  cwd: string;
  home?: string;
  systemHome?: string;
  codexHome: string;
  /** Absolute paths of files with tokens and keys that this process itself logs in with, or asks for; no sandbox shows them. */
  credentialFiles?: readonly string[];
  dist: string;
  node: string;
  modules?: OwnModules;
  platform: string;
  arch: string;
  version: string;
};

/** Environment variable of the MCP servers that codex-rx starts. A codex-rx that finds it refuses to serve: the two would start each other without end. */
export const NESTED_VARIABLE = 'CODEX_RX_IS_TOOL';
