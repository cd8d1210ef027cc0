/** Requests to an MCP server with the token of its login. */
import { catchError, concat, defer, EMPTY, ignoreElements, mergeMap, type Observable, of } from 'rxjs';
import type { HttpPost, HttpRequest, HttpResponse } from '../../io/http/httpRequest';
import type { Credential, ServerId } from './credentialFile';
import { type RefreshDeps, refresh } from './refresh';

/** A token that expires sooner is renewed before it is sent: within half a minute, or the last tenth of a short life. */
const MARGIN_MS = 30_000;
const MARGIN_PART = 0.1;

const isDue = ({ expiresMs, lifeMs, refreshToken }: Credential, nowMs: number): boolean => {
  const marginMs = lifeMs === undefined ? MARGIN_MS : Math.min(MARGIN_MS, lifeMs * MARGIN_PART);
  return refreshToken !== undefined && expiresMs !== undefined && expiresMs < nowMs + marginMs;
};

/**
 * Sends each request with the token of the login, if there is one: renewed when it is about to expire, and once if the server rejects it. A login that
 * cannot be renewed is sent as it is, so that the server reports what is wrong.
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

/** Clears the mark of a refused login, after the response was passed on, because its body must be read at once. Emits nothing, and never errors. */
const accepted = ({ file }: RefreshDeps, server: ServerId, { isRefused: _, ...login }: Credential): Observable<never> =>
  file
    .change(server, (found) => (found?.accessToken === login.accessToken ? login : found))
    .pipe(
      ignoreElements(),
      catchError(() => EMPTY),
    );

type Again = { send: HttpPost; request: HttpRequest; renewed: (stale: Credential) => Observable<Credential> };

/** The same request with another token, or the rejection if there is none. */
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
