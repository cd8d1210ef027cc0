/** A client of an MCP server behind a URL: its lines go there, those of the server come back. */
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
import type { HttpClientDeps } from './clientStreams';
import { httpClient } from './httpClient';
import type { McpEvent } from './mcpEvent';
import { postLines } from './postLines';

/** How long after the last response the stream of a session may be silent, before the session ends. */
const QUIET_MS = 250;
/** The same where a response does not end, as that of a subscription. */
const IDLE_MS = 2_000;

type Item = McpEvent | { kind: 'posted' };

/**
 * Uses the older of the two transports where the server accepts no message at its address. A line that is not a request
 * is sent once the line before it was accepted. When the lines end, and the server has been silent, the session is ended. Completes then, or
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
          return merge(client.stream$, posted$.pipe(endWith<Item>({ kind: 'posted' }))).pipe(untilQuiet(shared$));
        }),
        takeWhile(({ kind }) => kind !== 'ended', true),
      );
      return concat(event$, client.end());
    });

/** Completes when the client has ended and the server has been silent. */
const untilQuiet =
  (line$: Observable<string>): OperatorFunction<Item, McpEvent> =>
  (item$) =>
    item$.pipe(
      connect((shared$) => {
        const quiet$ = shared$.pipe(
          filter(({ kind }) => kind === 'posted'),
          switchMap(() => timer(QUIET_MS)),
        );
        const idle$ = line$.pipe(
          ignoreElements(),
          endWith(true),
          switchMap(() =>
            shared$.pipe(
              startWith(undefined),
              switchMap(() => timer(IDLE_MS)),
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
