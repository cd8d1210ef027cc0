/** Owns the connection to an app-server: its greeting, and what is answered to it when nobody else does. */
import {
  catchError,
  defer,
  filter,
  ignoreElements,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  switchMap,
  tap,
  throwError,
  timeout,
} from 'rxjs';
import { type Heard, type Sent, shakeHands } from '../executor';
import { METHOD_NOT_FOUND, type Request, type Response, RpcError } from '../protocol';
import { ofKind } from '../streams';
import { declineOf, isQuestion } from './approvals';
import { type Link, linkOf } from './link';
import { NotBegun } from './notBegun';
import { threadOf } from './wire';

/** @param transport one life of the server's process; errors when it ends */
export type LinkDeps = { transport: OperatorFunction<Sent, Heard>; version: string; newId: () => number };

/** `backgroundTerminals/clean`, which ends the commands of an interrupted turn, belongs to the experimental API. */
const helloOf = (version: string) => ({
  clientInfo: { name: 'codex-rx', title: 'codex-rx', version },
  capabilities: { experimentalApi: true },
});

/** It needs a quarter of a second; a machine that is busy starting may need a while. */
const GREETING_MS = 30_000;

/**
 * Connects and shakes hands. Emits the link once it can be used; errors when the server is gone, or has not answered the
 * greeting after 30 s. What is not known is refused, a question that is not of a turn that runs declined.
 *   server ---I--q---#     (I the answer to initialize, q a question of nobody's)
 *   link   ---L------#
 *   said   i--n--d         (d declined)
 */
export const openLink = ({ transport, version, newId }: LinkDeps): Observable<Link> =>
  defer(() => {
    let isGreeted = false;
    return shakeHands({
      transport,
      title: 'the codex app-server',
      newId,
      hello: helloOf(version),
      ready: 'initialized',
    }).pipe(
      timeout({ first: GREETING_MS, with: () => throwError(() => new Error(SILENT)) }),
      switchMap(({ peer }) => {
        isGreeted = true;
        const link = linkOf(peer);
        return merge(
          peer.word$.pipe(
            ofKind('request'),
            filter((request) => !isQuestion(request) || !link.busy.get(threadOf(request))?.(request)),
            tap((request) => peer.say(refusalOf(request))),
            ignoreElements(),
          ),
          of(link),
        );
      }),
      catchError((error: Error) => throwError(() => (isGreeted ? error : doubted(error)))),
    );
  });

/** A program that ends before it answers may be none of those that can be talked with. */
const doubted = (error: Error): Error =>
  error instanceof RpcError || error instanceof NotBegun ? error : new Error(`${error.message}\n${ADVICE}`);

const SILENT = `The codex app-server was silent for ${GREETING_MS / 1000} s and was ended.`;
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
