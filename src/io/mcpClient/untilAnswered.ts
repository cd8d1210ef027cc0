/** Ends a response stream that a server keeps open after its last response. */
import { connect, filter, type MonoTypeOperatorFunction, scan, switchMap, take, takeUntil, timer } from 'rxjs';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import type { ResponsePart } from './readResponse';
import { withoutAnswered } from './withoutAnswered';

/** How long, in ms, a server may still send messages after the last response. */
const BEHIND_MS = 1_000;

/**
 * Passes the parts of a response stream, until a second after the last of its requests has its response. A server should end the stream then; one that
 * does not would keep a connection open for each request. Without requests, all parts pass.
 *   in   -a--b------    (a, b the responses)
 *   out  -a--b 999ms |
 * Source: MCP 2025-11-25, Streamable HTTP, Sending Messages to the Server.
 */
export const untilAnswered = (requests: readonly RequestId[]): MonoTypeOperatorFunction<ResponsePart> =>
  connect((part$) =>
    part$.pipe(
      takeUntil(
        part$.pipe(
          scan(withoutAnswered, requests),
          filter((left) => requests.length > 0 && left.length === 0),
          take(1),
          switchMap(() => timer(BEHIND_MS)),
        ),
      ),
    ),
  );
