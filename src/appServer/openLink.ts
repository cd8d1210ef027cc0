/** Owns the handshake with an app-server, and what is answered to it when nobody else does. */
import {
  catchError,
  concat,
  connect,
  defer,
  filter,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  Subject,
  tap,
  throwError,
} from 'rxjs';
import type { Heard, Sent } from '../executor';
import { METHOD_NOT_FOUND, type Request, type Response, RpcError } from '../protocol';
import { ofKind } from '../streams';
import { declineOf, isQuestion } from './approvals';
import { answerTo, type Link, linkOf } from './link';
import { NotBegun } from './notBegun';
import { threadOf } from './wire';

/** @param transport one life of the server's process; errors when it ends */
export type LinkDeps = { transport: OperatorFunction<Sent, Heard>; version: string; newId: () => number };

/** `backgroundTerminals/clean`, which ends the commands of an interrupted turn, belongs to the experimental API. */
const helloOf = (version: string) => ({
  clientInfo: { name: 'codex-rx', title: 'codex-rx', version },
  capabilities: { experimentalApi: true },
});

/**
 * Connects and shakes hands. Emits the link once it can be used; errors when the server is gone. A request that nobody
 * here answers is answered at once: what is not known is refused, a question about a turn that is over declined.
 *   server ---I------#     (I the answer to initialize)
 *   link   ---L------#
 */
export const openLink = ({ transport, version, newId }: LinkDeps): Observable<Link> =>
  defer(() => {
    const said$ = new Subject<Sent>(); // the wire from those who ask
    const id = newId();
    let isGreeted = false;
    const hello: Sent = { kind: 'request', id, method: 'initialize', params: helloOf(version) };
    return concat(of(hello), said$).pipe(
      transport,
      connect((heard$) => {
        const link = linkOf(heard$, (message) => said$.next(message), newId);
        return merge(
          heard$.pipe(
            answerTo(id),
            tap(() => {
              isGreeted = true;
              said$.next({ kind: 'notification', method: 'initialized', params: {} });
            }),
            map(() => link),
          ),
          heard$.pipe(
            ofKind('request'),
            filter((request) => !isQuestion(request) || !link.busy.has(threadOf(request))),
            tap((request) => said$.next(refusalOf(request))),
            ignoreElements(),
          ),
        );
      }),
      catchError((error: Error) => throwError(() => (isGreeted ? error : doubted(error)))),
    );
  });

/** A program that ends before it answers may be none of those that can be talked with. */
const doubted = (error: Error): Error =>
  error instanceof RpcError || error instanceof NotBegun ? error : new Error(`${error.message}\n${ADVICE}`);

const ADVICE =
  'It did not answer its first request. Is it a Codex with app-server? 0.142.0 to 0.169.0 are known to work.';

const refusalOf = (request: Request): Response =>
  isQuestion(request)
    ? { kind: 'response', id: request.id, result: declineOf(request) }
    : {
        kind: 'response',
        id: request.id,
        error: { code: METHOD_NOT_FOUND, message: `unknown method ${request.method}` },
      };
