/** An MCP server behind a URL as a backend: a session over HTTP in place of a process. */
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
import type { Backend, Process, Started } from '../../executor';
import type { Log } from '../../log';
import type { ProcessEvent } from '../../protocol/exec';
import { INTERNAL_ERROR, toIdText } from '../../protocol/jsonrpc';
import { decodeUtf8, splitLines } from '../../streams';
import type { HttpClientDeps } from './clientStreams';
import { endCancelled } from './endCancelled';
import { httpClient, type McpHttpClient } from './httpClient';
import type { McpEvent } from './mcpEvent';
import { postLines } from './postLines';
import { renewSession } from './renewSession';
import { type FailureDeps, toFailure } from './toFailure';

/** How long the request that ends a session may take; nobody waits for its response. */
const END_MS = 1_000;

/**
 * @param background runs what ends a session, as the one who could wait for it has unsubscribed
 * @param log gets a record where another session takes the place of a lost one
 * @param login the command that logs in at the server, where there is one; @param beginMs how long a session may take to begin in place of a lost one
 */
export type McpBackendDeps = HttpClientDeps &
  Pick<FailureDeps, 'login'> & { beginMs: number; log: Log; background: (task$: Observable<never>) => void };

/**
 * What is written are the lines of the client, and the lines of the server are the output. What fails on the way ends the session by
 * `failed`, because a response may be lost with it; where the server only no longer knows the session, another takes its
 * place. Unsubscribing ends it at the server, in the background.
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
        of<Started>({ kind: 'started', process: toProcess(written$) }), // last, for a write may come at once
      ).pipe(finalize(() => background(ended(client))));
    }),
});

/** Nothing is retained, for nothing is lost between here and the reader. */
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

/** A request without a response gets one here, as other requests of the session may have theirs. */
const lineOf = (event: McpEvent): string => {
  if (event.kind !== 'log') return (event as Extract<McpEvent, { kind: 'line' }>).line;
  const { requests = [], line: message } = event;
  const error = JSON.stringify({ code: INTERNAL_ERROR, message });
  return requests.map((id) => `{"jsonrpc":"2.0","id":${toIdText(id)},"error":${error}}`).join('\n');
};

/** It never errors. */
const ended = (client: McpHttpClient): Observable<never> =>
  client.end().pipe(takeUntil(timer(END_MS)), ignoreElements());
