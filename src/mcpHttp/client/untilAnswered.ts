/** Ends a response that a server keeps open behind its last message. */
import { connect, filter, type MonoTypeOperatorFunction, scan, switchMap, take, takeUntil, timer } from 'rxjs';
import type { RequestId } from '../../protocol/jsonrpc';
import type { ResponsePart } from './readResponse';
import { withoutAnswered } from './withoutAnswered';

/** How long a server may send something behind the last answer. */
const BEHIND_MS = 1_000;

/**
 * Passes the parts of a response, up to a second after the last of its requests is answered: a server should end it then, and one that does not would
 * hold a connection for each request. Without requests it passes all.
 *   in   -a--b------    (a, b the answers)
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
