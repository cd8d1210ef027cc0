/** A client of an MCP server behind a URL: its lines go there, and the server's lines come back. */
import {
  concat,
  connect,
  defer,
  endWith,
  filter,
  ignoreElements,
  merge,
  type Observable,
  type OperatorFunction,
  startWith,
  switchMap,
  take,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';
import { inputFirst } from '../../streams/time/limits';
import type { HttpClientDeps } from './clientStreams';
import type { McpEvent } from './failures';
import { httpClient } from './httpClient';
import { postLines } from './postLines';

/**
 * Uses the older of the two transports if the server accepts no message at its address. What follows a line that is not a request
 * is sent once that line was accepted; see postLines. When the lines end and the server has gone silent, the session is ended. Completes then, or
 * with `ended`.
 *   in   a----b|         (a, b requests)
 *   out  ---A---Bn---|   (A, B responses, n a notification)
 */
export const dialMcp =
  (deps: HttpClientDeps): OperatorFunction<string, McpEvent> =>
  (line$) =>
    defer(() => {
      const client = httpClient(deps);
      const event$ = line$.pipe(
        connect((shared$) => {
          const posted$ = shared$.pipe(postLines(client));
          return merge(client.stream$, posted$.pipe(endWith<ClientEvent>({ kind: 'posted' }))).pipe(
            untilQuiet(shared$),
          );
        }),
        takeWhile(({ kind }) => kind !== 'ended', true),
      );
      return concat(event$, client.end());
    });

/** How long after the last response the stream of a session may be silent before the session ends, in ms. */
const QUIET_MS = 250;
/** The same if a response does not end, such as a subscription's. */
const IDLE_MS = 2_000;

/** An event; `posted`: all responses to what the client sent have ended. */
export type ClientEvent = McpEvent | { kind: 'posted' };

/**
 * Completes when the client's lines have ended and the server has been silent for long enough.
 * @param line$ the lines of the client
 *   line$  --|
 *   in     --r---p--n-
 *   out    --r------n 249ms |     (r a response, p posted, n a notification)
 */
export const untilQuiet =
  (line$: Observable<string>): OperatorFunction<ClientEvent, McpEvent> =>
  (item$) =>
    item$.pipe(
      connect((shared$) => {
        const quiet$ = shared$.pipe(
          filter(({ kind }) => kind === 'posted'),
          switchMap(() => timer(QUIET_MS, inputFirst)),
        );
        const idle$ = line$.pipe(
          ignoreElements(),
          endWith(true),
          switchMap(() =>
            shared$.pipe(
              startWith(undefined),
              switchMap(() => timer(IDLE_MS, inputFirst)),
              take(1),
            ),
          ),
        );
        return shared$.pipe(
          filter((item): item is McpEvent => item.kind !== 'posted'),
          takeUntil(merge(quiet$, idle$)),
        );
      }),
    );
