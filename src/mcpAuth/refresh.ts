/** Renews the login at an MCP server, once for all processes of codex-rx that share it. */
import { catchError, map, mergeMap, type Observable, of, throwError, timeout } from 'rxjs';
import { AuthError, renewOnce } from '../auth';
import type { PrivateFiles } from '../files';
import type { HttpPost } from '../transport';
import type { Credential, CredentialFile, ServerId } from './credentialFile';
import { discover } from './discover';
import { requestJson } from './requestJson';
import { toTokens } from './tokens';

/** @param lockPath of the lock, which the renewing process has; @param now ms since 1970 */
export type RefreshDeps = {
  send: HttpPost;
  file: CredentialFile;
  lock: PrivateFiles['lock'];
  lockPath: string;
  now: () => number;
};

/**
 * Emits a login with another token than `stale`, once: what another process got in the meantime, or a new one, which is kept first.
 * Errors with AuthError where there is none.
 *   lock   free             lock   taken, file changes at n
 *   out    ----r            out    ----n      (r the response)
 */
export const refresh =
  (deps: RefreshDeps) =>
  (server: ServerId, stale: Credential): Observable<Credential> =>
    renewOnce({
      lock: deps.lock,
      lockPath: deps.lockPath,
      changed: () => changedSince(deps, server, stale),
      renew: () => renew(deps, server, stale).pipe(timeout({ first: LIMIT_MS, with: () => throwError(tooLate) })),
      name: `the login at ${server.url}`,
    });

/** All requests of a renewal: the lock is that of the logins at all servers, and others wait for it no longer than a minute. */
const LIMIT_MS = 30_000;
const tooLate = (): AuthError => new AuthError(`the login was not renewed within ${LIMIT_MS / 1000} s`);

const changedSince = ({ file }: RefreshDeps, server: ServerId, stale: Credential): Credential | undefined => {
  const found = file.find(server);
  if (found === undefined) throw new AuthError('there is no login any more', true);
  return found.accessToken === stale.accessToken ? undefined : found;
};

/** An installed Codex takes another lock: where it renewed at the same time, its tokens are the good ones. */
const renew = (deps: RefreshDeps, server: ServerId, stale: Credential): Observable<Credential> => {
  const { send, file, now } = deps;
  const { issuer, refreshToken, clientId, scopes } = stale;
  if (refreshToken === undefined) return throwError(() => new AuthError('the login has ended', true));
  const body = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId, resource: server.url };
  return discover(send)({ url: server.url, challenge: {}, ...(issuer !== undefined && { issuer }) }).pipe(
    mergeMap(({ tokenUrl, issuer: named }) =>
      requestJson(send)({ url: tokenUrl, form: body }).pipe(
        map((answer) => toTokens(answer, { issuer: named, clientId, refreshToken, scopes }, now())),
      ),
    ),
    map((tokens) => {
      file.keep(server, tokens);
      return tokens;
    }),
    catchError((error) => {
      const changed = changedSince(deps, server, stale);
      return changed === undefined ? throwError(() => error) : of(changed);
    }),
  );
};
