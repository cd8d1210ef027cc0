/** Requests to an MCP server with the token of its login, which is renewed once for all processes of codex-rx that share it. */
import { catchError, concat, defer, EMPTY, map, mergeMap, type Observable, of, tap, throwError } from 'rxjs';
import type { PrivateFiles } from '../../io/files/privateFiles';
import type { HttpPost, HttpRequest, HttpResponse } from '../../io/http/httpRequest';
import { muted } from '../../streams/ends';
import { withoutEndSlash } from '../../streams/text/trim';
import { failIfLate } from '../../streams/time/limits';
import { AuthError } from '../auth/authError';
import { claimsOf } from '../auth/authFile';
import { renewOnce } from '../auth/renewOnce';
import { requestJson } from '../auth/tokenRequest';
import { type Credential, type CredentialFile, type ServerId, toTokens } from './credentialFile';
import { discover } from './discover';

/** What a login is sent with, and renewed by. */
export type RefreshDeps = {
  send: HttpPost;
  file: CredentialFile;
  lock: PrivateFiles['lock'];
  /** The path of the lock that the process renewing a server's login holds. */
  lockPathOf: (server: ServerId) => string;
  /** In ms since 1970. */
  now: () => number;
};

/**
 * Sends each request with the token of the login, if there is one: renewed when it is about to expire, and once if the server rejects it. A login that cannot
 * be renewed is sent unchanged, so that the server reports the fault.
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

/** A token that expires sooner is renewed before it is sent: within half a minute, or the last tenth of a short life. */
const MARGIN_MS = 30_000;
const MARGIN_PART = 0.1;

const isDue = ({ expiresMs, lifeMs, refreshToken }: Credential, nowMs: number): boolean => {
  const marginMs = lifeMs === undefined ? MARGIN_MS : Math.min(MARGIN_MS, lifeMs * MARGIN_PART);
  return refreshToken !== undefined && expiresMs !== undefined && expiresMs < nowMs + marginMs;
};

const sendAs = (send: HttpPost, request: HttpRequest, { accessToken }: Credential): Observable<HttpResponse> =>
  send({ ...request, headers: { ...request.headers, authorization: `Bearer ${accessToken}` } });

/** Clears the mark of a refused login, after the response was passed on, because its body must be read at once. Emits nothing, and never errors. */
const accepted = ({ file }: RefreshDeps, server: ServerId, { isRefused: _, ...login }: Credential): Observable<never> =>
  file.change(server, (found) => (found?.accessToken === login.accessToken ? login : found)).pipe(muted());

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

const drained = ({ body$ }: HttpResponse): Observable<never> => body$.pipe(muted());

/**
 * Emits once a login with another token than `stale`: what another process got in the meantime, or a new one, which is stored first.
 * Errors with AuthError if there is none.
 *   lock   free             lock   taken, file changes at n
 *   out    ----r            out    ----n      (r the response)
 */
export const refresh =
  (deps: RefreshDeps) =>
  (server: ServerId, stale: Credential): Observable<Credential> =>
    renewOnce({
      lock: deps.lock,
      lockPath: deps.lockPathOf(server),
      changed: () => changedSince(deps, server, stale),
      renew: () => renew(deps, server, stale).pipe(failIfLate(LIMIT_MS, tooLate)),
      name: `the login at ${server.url}`,
    });

/** For all requests of a renewal: other processes wait for the lock no longer than a minute. */
const LIMIT_MS = 30_000;
const tooLate = (): AuthError => new AuthError(`the login was not renewed within ${LIMIT_MS / 1000} s`);

const changedSince = ({ file }: RefreshDeps, server: ServerId, stale: Credential): Credential | undefined => {
  const found = file.find(server);
  if (found === undefined) throw new AuthError('there is no login any more; log in again', true);
  return isSame(found, stale) ? undefined : found;
};

const isSame = (found: Credential | undefined, stale: Credential): boolean => found?.accessToken === stale.accessToken;

/** An installed Codex takes another lock: if it renewed at the same time, its tokens are the valid ones. */
const renew = (deps: RefreshDeps, server: ServerId, stale: Credential): Observable<Credential> =>
  ask(deps, server, stale).pipe(
    mergeMap((tokens) => replace(deps, { server, stale, tokens })),
    catchError((error) => {
      const changed = changedSince(deps, server, stale);
      return changed === undefined ? remember(deps, { server, stale, error }) : of(changed);
    }),
  );

const ask = ({ send, now }: RefreshDeps, server: ServerId, stale: Credential): Observable<Credential> => {
  const { issuer, refreshToken, clientId, scopes } = stale;
  if (refreshToken === undefined) return throwError(() => new AuthError('the login has ended; log in again', true));
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId, resource: server.url };
  return discover(send)({ url: server.url, challenge: {}, ...(issuer !== undefined && { issuer }) }).pipe(
    tap((found) => checkIssuer(found.issuer, stale)),
    mergeMap(({ tokenUrl, issuer: named }) =>
      requestJson(send)({ url: tokenUrl, form }).pipe(
        map((response) => toTokens(response, { issuer: named, clientId, refreshToken, scopes }, now())),
      ),
    ),
  );
};

/**
 * A login without its issuer, as older programs store it, is bound to the issuer that first renews it. If its token names another one, the server
 * found is not asked: it would get a token of a different server.
 */
const checkIssuer = (found: string, { issuer, accessToken }: Credential): void => {
  const named = issuer ?? claimsOf(accessToken)?.issuer ?? found;
  if (withoutEndSlash(named) === withoutEndSlash(found)) return;
  throw new AuthError('the login was issued by another server than the server that is named now; log in again', true);
};

type Renewed = { server: ServerId; stale: Credential; tokens: Credential };

/** A login that was removed or replaced meanwhile is not overwritten. */
const replace = ({ file }: RefreshDeps, { server, stale, tokens }: Renewed): Observable<Credential> =>
  file
    .change(server, (found) => (isSame(found, stale) ? tokens : found))
    .pipe(
      map(({ kept }) => {
        if (kept === undefined) throw new AuthError('there is no login any more; log in again', true);
        return kept;
      }),
    );

type Refused = { server: ServerId; stale: Credential; error: unknown };

/** Records a final refusal, so that the login is not shown as valid. */
const remember = ({ file }: RefreshDeps, { server, stale, error }: Refused): Observable<never> => {
  const failed$ = throwError(() => error);
  if (!(error instanceof AuthError && error.isFinal) || stale.isRefused) return failed$;
  const refused: Credential = { ...stale, isRefused: true };
  return file
    .change(server, (found) => (isSame(found, stale) ? refused : found))
    .pipe(
      mergeMap(() => failed$),
      catchError(() => failed$), // the refusal matters more than its record
    );
};
