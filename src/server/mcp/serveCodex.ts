/** The Codex JSON-RPC methods beside those of MCP. */
import { concat, connect, map, mergeMap, type Observable, type OperatorFunction, of, take } from 'rxjs';
import type { Outgoing, Request } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { failureOutcome } from '../../protocol/rpc/failureOutcome';
import { ofKind } from '../../streams/ofKind';
import { codexRoom } from './codexRoom';
import type { Command } from './command';
import type { McpDeps } from './mcpDeps';

/**
 * Serves the Codex methods that answer when they are done.
 *   in   m----z      (m a request, z end)
 *   out  ---R--|     (R the response)
 */
export const serveCodex =
  ({
    codexHost,
    log,
    face: { extended },
    newCallId: newId,
  }: Pick<McpDeps, 'codexHost' | 'log' | 'face' | 'newCallId'>) =>
  (command$: Observable<Command>): Observable<Outgoing> =>
    command$.pipe(
      connect((shared$) => {
        const request$ = shared$.pipe(
          ofKind('codex'),
          map(({ request }) => request),
        );
        const cancelled$ = shared$.pipe(
          ofKind('cancel'),
          map(({ requestId }) => requestId),
        );
        const end$ = shared$.pipe(ofKind('end'));
        const deps = { host: codexHost, log, newId, extended, cancelled$, end$ };
        const methods = () => loaded(log, () => codexRoom().codexMethods(deps));
        return request$.pipe(
          connect((request$) =>
            request$.pipe(
              take(1),
              mergeMap((first) => concat(of(first), request$).pipe(methods())),
            ),
          ),
        );
      }),
    );

type Methods = OperatorFunction<Request, Outgoing>;

/** If the methods cannot be loaded, each request gets the same error. */
const loaded = (log: Log, load: () => Methods): Methods => {
  try {
    return load();
  } catch (error) {
    const outcome = failureOutcome({ log })(error);
    return map(({ id, batch }) => ({ kind: 'response', id, batch, ...outcome }));
  }
};
