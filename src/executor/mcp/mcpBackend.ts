/** An MCP server behind a URL as a backend: a session over HTTP instead of a process. */
import {
  defer,
  finalize,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  Subject,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';
import type { HttpClientDeps } from '../../io/mcpClient/clientStreams';
import { type FailureDeps, type McpEvent, toFailure } from '../../io/mcpClient/failures';
import { endCancelled, httpClient, type McpHttpClient } from '../../io/mcpClient/httpClient';
import { postLines } from '../../io/mcpClient/postLines';
import { renewSession } from '../../io/mcpClient/renewSession';
import type { ProcessEvent } from '../../protocol/exec/process';
import { INTERNAL_ERROR, toIdText } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { inputFirst } from '../../streams/time/limits';
import type { Backend, Process, Started } from '../backend';

/** How long the request that ends a session may take, in ms; nobody waits for its response. */
const END_MS = 1_000;

/** The client of the server, and what outlives a session. */
export type McpBackendDeps = HttpClientDeps &
  Pick<FailureDeps, 'login'> & {
    /** How long a session that replaces a lost one may take to begin. */
    beginMs: number;
    /** Gets a record if another session replaces a lost one. */
    log: Log;
    /** Runs what ends a session, because its subscriber is gone. */
    background: (task$: Observable<never>) => void;
  };

/**
 * Written lines are the client's, output lines are the server's. A failure of a request ends the session with
 * `failed`, because a response may be lost with it; if the server only no longer knows the session, another session replaces it. Unsubscribing ends the
 * session at the server, in the background.
 *   write  --i--c-------
 *   start  s--I---C---f|     (s started, I and C output, f failed: HTTP 500 of https://…)
 */
export const mcpBackend = ({ background, ...deps }: McpBackendDeps): Backend => ({
  start: () =>
    defer((): Observable<Started | ProcessEvent> => {
      const written$ = new Subject<Uint8Array>(); // the wire from writes to the session
      const client = endCancelled(renewSession({ ...deps, client: httpClient(deps) }));
      const event$ = merge(client.stream$, written$.pipe(decodeUtf8(), splitLines(), postLines(client)));
      return merge(
        event$.pipe(
          map((event, i) => toProcessEvent(deps, event, i + 1)),
          takeWhile(({ kind }) => kind !== 'failed', true),
        ),
        of<Started>({ kind: 'started', process: toProcess(written$) }), // last, because the subscriber may write at once
      ).pipe(finalize(() => background(ended(client))));
    }),
});

/** Nothing is retained, because nothing is lost between here and the reader. */
const toProcess = (written$: Subject<Uint8Array>): Process => ({
  read: ({ afterSeq }) =>
    of({ chunks: [], nextSeq: afterSeq + 1, exited: false, exitCode: null, closed: false, failure: null }),
  acknowledge: () => of(undefined),
  write: (chunk) =>
    defer(() => {
      written$.next(chunk);
      return of('accepted' as const);
    }),
  closeStdin: () =>
    defer(() => {
      written$.complete();
      return of('accepted' as const);
    }),
  signal: () => of(undefined),
  terminate: () => of(true),
});

const toProcessEvent = (deps: FailureDeps, event: McpEvent, seq: number): ProcessEvent => {
  const reason = toFailure(deps, event);
  if (reason !== undefined) return { kind: 'failed', seq, reason };
  return { kind: 'output', seq, stream: 'stdout', chunk: Buffer.from(`${lineOf(event)}\n`) };
};

/** A request that got no response gets one here, because other requests of the session may still get theirs. */
const lineOf = (event: McpEvent): string => {
  if (event.kind !== 'log') return (event as Extract<McpEvent, { kind: 'line' }>).line;
  const { requests = [], line: message } = event;
  const error = JSON.stringify({ code: INTERNAL_ERROR, message });
  return requests.map((id) => `{"jsonrpc":"2.0","id":${toIdText(id)},"error":${error}}`).join('\n');
};

/** Ends the session at the server; never errors. */
const ended = (client: McpHttpClient): Observable<never> =>
  client.end().pipe(takeUntil(timer(END_MS, inputFirst)), ignoreElements());
