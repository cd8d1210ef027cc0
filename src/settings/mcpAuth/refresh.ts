/** Renews the login at an MCP server, once for all processes of codex-rx that share it. */
import { catchError, map, mergeMap, type Observable, of, tap, throwError, timeout } from 'rxjs';
import type { PrivateFiles } from '../../io/files/privateFiles';
import type { HttpPost } from '../../io/http/httpRequest';
import { withoutEndSlash } from '../../streams/text/trim';
import { AuthError } from '../auth/authError';
import { claimsOf } from '../auth/claims';
import { renewOnce } from '../auth/renewOnce';
import type { Credential, CredentialFile, ServerId } from './credentialFile';
import { discover } from './discover';
import { requestJson } from './requestJson';
import { toTokens } from './tokens';

/** @param lockPathOf returns the path of the lock that the process renewing a server's login holds; @param now ms since 1970 */
export type RefreshDeps = {
  send: HttpPost;
  file: CredentialFile;
  lock: PrivateFiles['lock'];
  lockPathOf: (server: ServerId) => string;
  now: () => number;
};

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
      renew: () => renew(deps, server, stale).pipe(timeout({ first: LIMIT_MS, with: () => throwError(tooLate) })),
      name: `the login at ${server.url}`,
    });

/** For all requests of a renewal: other processes wait for the lock no longer than a minute. */
const LIMIT_MS = 30_000;
const tooLate = (): AuthError => new AuthError(`the login was not renewed within ${LIMIT_MS / 1000} s`);

const changedSince = ({ file }: RefreshDeps, server: ServerId, stale: Credential): Credential | undefined => {
  const found = file.find(server);
  if (found === undefined) throw new AuthError('there is no login any more', true);
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
  if (refreshToken === undefined) return throwError(() => new AuthError('the login has ended', true));
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
 * found is not asked: it would get a token that a different server issued.
 */
const checkIssuer = (found: string, { issuer, accessToken }: Credential): void => {
  const named = issuer ?? claimsOf(accessToken)?.issuer ?? found;
  if (withoutEndSlash(named) === withoutEndSlash(found)) return;
  throw new AuthError('the login was issued by another server than the one that is named now; log in again', true);
};

type Renewed = { server: ServerId; stale: Credential; tokens: Credential };

/** A login that was removed or replaced meanwhile is not overwritten. */
const replace = ({ file }: RefreshDeps, { server, stale, tokens }: Renewed): Observable<Credential> =>
  file
    .change(server, (found) => (isSame(found, stale) ? tokens : found))
    .pipe(
      map(({ kept }) => {
        if (kept === undefined) throw new AuthError('there is no login any more', true);
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
