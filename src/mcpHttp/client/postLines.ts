/** The lines of a client of MCP over HTTP, in order. */
import {
  AsyncSubject,
  concat,
  concatMap,
  defer,
  finalize,
  mergeAll,
  type Observable,
  type OperatorFunction,
  of,
  takeUntil,
  timer,
} from 'rxjs';
import { parseLine } from '../../session';
import type { McpHttpClient } from './httpClient';
import type { McpEvent } from './mcpEvent';

/** How long, in ms, the next line waits for a server that does not respond to a notification. */
const ACCEPT_MS = 5_000;
/** How long, in ms, that response is waited for: each one keeps a connection open. */
const LISTEN_MS = 60_000;

/**
 * Sends each line and emits the responses to it. A line that is not a request is sent once the line before it was accepted,
 * and the next one once that line was accepted too, or 5 s later; after 60 s its response is no longer read.
 *   in   -a-n-b----     (a, b requests, n a notification that takes 3 frames)
 *   post -a-n--b---
 *   out  ---A----B-
 */
export const postLines =
  ({ post }: Pick<McpHttpClient, 'post'>): OperatorFunction<string, McpEvent> =>
  (line$) =>
    line$.pipe(
      concatMap((line): Observable<Observable<McpEvent>> => (isRequest(line) ? of(post(line)) : accepted(post(line)))),
      mergeAll(),
    );

/** Emits the response, which is subscribed to at once, and completes when the next line may be sent. */
const accepted = (response$: Observable<McpEvent>): Observable<Observable<McpEvent>> =>
  defer(() => {
    const over$ = new AsyncSubject<never>(); // the wire from the end of the response to the next line
    const read$ = response$.pipe(
      takeUntil(timer(LISTEN_MS)),
      finalize(() => over$.complete()),
    );
    return concat(of(read$), over$.pipe(takeUntil(timer(ACCEPT_MS))));
  });

const isRequest = (line: string): boolean => parseLine(line).messages.some(({ kind }) => kind === 'request');
