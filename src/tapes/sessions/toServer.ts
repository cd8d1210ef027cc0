/** A command, or the URL of a server over HTTP, as a server of lines. */
import { type MonoTypeOperatorFunction, map, pipe, scan, type TimestampProvider, tap } from 'rxjs';
import { httpPost } from '../../io/http/sendRequest';
import { dialMcp } from '../../io/mcpClient/postLines';
import { isHttpUrl, toPublicUrl } from '../../io/mcpServer/httpAddress';
import type { ChildDeps } from '../../io/processes/child';
import { fromPeer, type PeerEvent } from '../../io/processes/fromChild';
import { childrenHere } from '../../io/processes/spawnHere';
import { type ServerEvent, serverProcess, withProcessId } from '../../io/serverProcess/serverProcess';
import { noBackpressure } from '../../streams/backpressure';
import { type Framing, toFramed } from '../../streams/bytes/splitMessages';
import { FloodError, type SignalledServer } from './playSession';

/** What a server needs to be started, and what is recorded about that. */
export type ServerDeps = {
  /** Of the server. */
  env: Record<string, string | undefined>;
  /** Of the server. */
  cwd: string;
  /** Of this program; recorded in the new session. */
  version: string;
  /** Recorded in the new session. */
  started: Date;
  /** Receives what goes wrong on the way to a server over HTTP. */
  onTrouble?: (text: string) => void;
  /** Receives the id of the process of a server that was started. */
  onStart?: (pid: number) => void;
  /** Receives what it writes to stdout, as it comes. */
  onOutput?: (chunk: Uint8Array) => void;
  /** How many bytes it may send, on stderr too; then its lines error with FloodError. Default any. */
  maxBytes?: number;
  /** The bytes that are sent for a line as they are; undefined for a line. Default: for none. */
  bytesIn?: (line: string) => Uint8Array | undefined;
  /** The times of the new session in ms; default the time of day, in whole ms. */
  clock?: TimestampProvider;
};

/** The command as a server of lines. A URL means a server over HTTP, which gets no signals. */
export const toServer = (deps: ServerDeps, command: readonly string[], framing: Framing): SignalledServer => {
  const { env, onTrouble, maxBytes = Number.POSITIVE_INFINITY } = deps;
  const [url = ''] = command;
  if (isHttpUrl(url)) {
    const send = httpPost({ backpressure: noBackpressure, env });
    const dial = dialMcp({ send, url, name: toPublicUrl(new URL(url)) });
    return () => (line$) =>
      line$.pipe(
        dial,
        upTo(maxBytes),
        tap((event) => event.kind === 'log' && onTrouble?.(event.line)),
      );
  }
  return processOf(deps, command, framing);
};

const processOf = (
  { env, cwd, onStart, onOutput, bytesIn = () => undefined, maxBytes = Number.POSITIVE_INFINITY }: ServerDeps,
  command: readonly string[],
  framing: Framing,
): SignalledServer => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
  const spec = { argv: command, cwd, env: given as Record<string, string> };
  const peer = withStarts(childrenHere(), onStart);
  const toText = toFramed(framing);
  return (signal$) => (line$) =>
    line$.pipe(
      map((line) => bytesIn(line) ?? toText(framing === 'lines' ? line : withProcessId(line, process.pid))),
      serverProcess(
        pipe(
          fromPeer({ ...peer, signal$ }, spec),
          tap((event) => event.kind === 'output' && event.stream === 'stdout' && onOutput?.(event.chunk)),
          upTo(maxBytes),
        ),
      ),
    );
};

/** Errors with FloodError once there is more. */
const upTo = <T extends PeerEvent | ServerEvent>(maxBytes: number): MonoTypeOperatorFunction<T> =>
  pipe(
    scan(({ bytes }, event: T) => ({ bytes: bytes + sizeOf(event), event }), {
      bytes: 0,
      event: undefined as unknown as T,
    }),
    map(({ bytes, event }) => {
      if (bytes > maxBytes) throw new FloodError();
      return event;
    }),
  );

const sizeOf = (event: PeerEvent | ServerEvent): number => {
  if ('chunk' in event) return event.chunk.length;
  return 'line' in event ? event.line.length : 0;
};

/** Reports each process that is started. */
const withStarts = (deps: ChildDeps, onStart: ServerDeps['onStart']): ChildDeps => ({
  ...deps,
  spawn: (program, args, options) => {
    const child = deps.spawn(program, args, options);
    if (child.pid !== undefined) onStart?.(child.pid);
    return child;
  },
});
