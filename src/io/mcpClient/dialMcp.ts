/** A client of an MCP server behind a URL: its lines go there, and the server's lines come back. */
import { concat, connect, defer, endWith, merge, type OperatorFunction, takeWhile } from 'rxjs';
import type { HttpClientDeps } from './clientStreams';
import { httpClient } from './httpClient';
import type { McpEvent } from './mcpEvent';
import { postLines } from './postLines';
import { type ClientEvent, untilQuiet } from './untilQuiet';

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
