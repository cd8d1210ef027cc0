/** Requests to an MCP server with the token of its login. */
import { catchError, concat, defer, EMPTY, ignoreElements, mergeMap, type Observable, of } from 'rxjs';
import type { HttpPost, HttpRequest, HttpResponse } from '../transport';
import type { Credential, ServerId } from './credentialFile';
import { type RefreshDeps, refresh } from './refresh';

/** A token that ends sooner is renewed before it is sent: in half a minute, or in the last tenth of a short life. */
const MARGIN_MS = 30_000;
const MARGIN_PART = 0.1;

const isDue = ({ expiresMs, lifeMs, refreshToken }: Credential, nowMs: number): boolean => {
  const marginMs = lifeMs === undefined ? MARGIN_MS : Math.min(MARGIN_MS, lifeMs * MARGIN_PART);
  return refreshToken !== undefined && expiresMs !== undefined && expiresMs < nowMs + marginMs;
};

/**
 * Sends each request with the token of the login, where there is one: renewed where it is about to end, and once where the server rejects it. A login that
 * cannot be renewed is sent as it is, for the server to say what is wrong.
 *   send   -x        (x 401)
 *   renew    --t
 *   send       -y
 *   out    -----y
 */
export const authorized =
  (deps: RefreshDeps) =>
  (server: ServerId): HttpPost => {
    const renewed = (stale: Credential): Observable<Credential> =>
      refresh(deps)(server, stale).pipe(catchError(() => of(stale)));
    return (request) =>
      defer(() => {
        const found = deps.file.find(server);
        if (found === undefined) return deps.send(request);
        return (isDue(found, deps.now()) ? renewed(found) : of(found)).pipe(
          mergeMap((login) =>
            sendAs(deps.send, request, login).pipe(
              mergeMap((response) => {
                if (response.status !== 401)
                  return login.isRefused ? concat(of(response), accepted(deps, server, login)) : of(response);
                return concat(drained(response), again({ send: deps.send, request, renewed }, login, response));
              }),
            ),
          ),
        );
      });
  };

const sendAs = (send: HttpPost, request: HttpRequest, { accessToken }: Credential): Observable<HttpResponse> =>
  send({ ...request, headers: { ...request.headers, authorization: `Bearer ${accessToken}` } });

/** A refusal that is over is forgotten, once the answer is passed on, whose body is to be read at once. Emits nothing, and never errors. */
const accepted = ({ file }: RefreshDeps, server: ServerId, { isRefused: _, ...login }: Credential): Observable<never> =>
  file
    .change(server, (found) => (found?.accessToken === login.accessToken ? login : found))
    .pipe(
      ignoreElements(),
      catchError(() => EMPTY),
    );

type Again = { send: HttpPost; request: HttpRequest; renewed: (stale: Credential) => Observable<Credential> };

/** The same with another token, or the rejection where there is none. */
const again = (
  { send, request, renewed }: Again,
  stale: Credential,
  response: HttpResponse,
): Observable<HttpResponse> =>
  renewed(stale).pipe(
    mergeMap((login) =>
      login.accessToken === stale.accessToken ? of({ ...response, body$: EMPTY }) : sendAs(send, request, login),
    ),
  );

const drained = ({ body$ }: HttpResponse): Observable<never> =>
  body$.pipe(
    ignoreElements(),
    catchError(() => EMPTY),
  );
