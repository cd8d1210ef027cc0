/** Logins at MCP servers, and their file, in the format of Codex, which an installed Codex reads and writes too. */
import { defer, map, type Observable, of } from 'rxjs';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { isObject, type JsonObject, parseObject } from '../../protocol/jsonrpc/json';
import { AuthError } from '../auth/authError';
import { renewOnce } from '../auth/renewOnce';
import { isToken, refusalOf, type TokenResponse } from '../auth/tokenRequest';

/** A login: who issued it, to which client, and its tokens. */
export type Credential = {
  issuer?: string;
  clientId: string;
  accessToken: string;
  refreshToken?: string;
  /** In ms since 1970. */
  expiresMs?: number;
  /** How long the access token was valid when it was issued. */
  lifeMs?: number;
  /** When last asked, the server neither accepted its tokens nor issued new ones. */
  isRefused?: true;
  scopes: readonly string[];
};

/** A server as config.toml names it. */
export type ServerId = { name: string; url: string };

/** The login to store in place of the found one; undefined removes it. Returning the login that was found leaves the file unchanged. */
type ChangeLogin = (found: Credential | undefined) => Credential | undefined;

/** The file of logins. */
export type CredentialFile = {
  /** Undefined if nobody is logged in. Throws FileError. */
  find: (server: ServerId) => Credential | undefined;
  /**
   * Emits once the login that was found and the login that is stored. Other logins, and members that are unknown here, stay unchanged; processes of
   * codex-rx write one after another. Errors with FileError, and with AuthError if another process does not release the lock.
   */
  change: (server: ServerId, next: ChangeLogin) => Observable<{ found?: Credential; kept?: Credential }>;
};

type CredentialFileDeps = {
  files: Pick<PrivateFiles, 'read' | 'replace' | 'lock'>;
  /** The path of `.credentials.json`. */
  path: string;
  /** The path of the lock that the writing process holds. */
  lockPath: string;
  /** The hash of a text, in hex. */
  sha256: (text: string) => string;
};

/** The file is read at each use. A malformed one counts as empty, and is replaced by the next login. */
export const credentialFile = ({ files, path, lockPath, sha256 }: CredentialFileDeps): CredentialFile => {
  const all = (): JsonObject => parseObject(files.read(path) ?? '') ?? {};
  const keyOf = toKey(sha256);
  const write = (server: ServerId, next: ChangeLogin) => {
    const { [keyOf(server)]: old, ...others } = all();
    const found = toCredential(old);
    const kept = next(found);
    const isSame = kept === found && (kept !== undefined || old === undefined);
    const entry = kept && { [keyOf(server)]: toEntry(server, kept, old) };
    if (!isSame) files.replace(path, JSON.stringify({ ...others, ...entry }));
    return { ...(found && { found }), ...(kept && { kept }) };
  };
  return {
    find: (server) => toCredential(all()[keyOf(server)]),
    change: (server, next) =>
      renewOnce({
        lock: files.lock,
        lockPath,
        name: 'the logins at MCP servers',
        changed: () => undefined,
        renew: () => defer(() => of(null)).pipe(map(() => write(server, next))),
      }),
  };
};

/** The key of a server's login. Source: Codex 0.169.0, a login at a local server. */
const toKey =
  (sha256: (text: string) => string) =>
  ({ name, url }: ServerId): string =>
    `${name}|${sha256(JSON.stringify({ type: 'http', url, headers: {} })).slice(0, 16)}`;

const toCredential = (entry: unknown): Credential | undefined => {
  if (!isObject(entry)) return undefined;
  const { issuer, client_id, access_token, refresh_token, expires_at, expires_in, refused, scopes } = entry;
  if (typeof client_id !== 'string' || typeof access_token !== 'string') return undefined;
  return {
    ...(typeof issuer === 'string' && { issuer }),
    clientId: client_id,
    accessToken: access_token,
    ...(typeof refresh_token === 'string' && { refreshToken: refresh_token }),
    ...(typeof expires_at === 'number' && { expiresMs: expires_at }),
    ...(typeof expires_in === 'number' && { lifeMs: expires_in * 1000 }),
    ...(refused === true && { isRefused: true }),
    scopes: Array.isArray(scopes) ? scopes.map(String) : [],
  };
};

const toEntry = (
  { name, url }: ServerId,
  { issuer, clientId, accessToken, refreshToken, expiresMs, lifeMs, isRefused, scopes }: Credential,
  old: unknown,
): JsonObject => {
  const { expires_at: _, refresh_token: __, expires_in: ___, refused: ____, ...others } = isObject(old) ? old : {};
  return {
    ...others,
    server_name: name,
    server_url: url,
    ...(issuer !== undefined && { issuer }),
    client_id: clientId,
    access_token: accessToken,
    ...(expiresMs !== undefined && { expires_at: expiresMs }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(lifeMs !== undefined && { expires_in: lifeMs / 1000 }),
    ...(isRefused && { refused: true }),
    scopes: [...scopes],
  };
};

/** Facts known before the response: the client, its server, and the refresh token, which stays if the response has no new one. */
type Known = Pick<Credential, 'issuer' | 'clientId' | 'refreshToken' | 'scopes'>;

/** The login in the response of a token endpoint. Throws AuthError, whose text contains no token; it is final if the server refuses. Source: RFC 6749 5. */
export const toTokens = (response: TokenResponse, known: Known, nowMs: number): Credential => {
  const { access_token: access, refresh_token: refresh, expires_in: seconds, scope } = response.json;
  if (response.status !== 200 || !isToken(access)) {
    const isFinal = response.status === 400 || response.status === 401;
    throw new AuthError(`no token was given: ${refusalOf(response)}`, isFinal);
  }
  const lasting = Number(seconds);
  return {
    ...known,
    accessToken: access,
    ...(isToken(refresh) && { refreshToken: refresh }),
    ...(seconds !== undefined && lasting > 0 && { expiresMs: nowMs + lasting * 1000, lifeMs: lasting * 1000 }),
    ...(typeof scope === 'string' && { scopes: scope.split(' ').filter(Boolean) }),
  };
};
