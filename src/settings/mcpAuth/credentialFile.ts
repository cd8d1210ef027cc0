/** The file of logins at MCP servers, in the format of Codex, which an installed Codex reads and writes too. */
import { defer, map, type Observable, of } from 'rxjs';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { isObject, type JsonObject, parseObject } from '../../protocol/jsonrpc/json';
import { renewOnce } from '../auth/renewOnce';

/**
 * A login: who issued it, to which client, and its tokens. `expiresMs` in ms since 1970; `lifeMs`: how long the access token was valid when it was issued.
 * `isRefused`: when last asked, the server neither accepted its tokens nor issued new ones.
 */
export type Credential = {
  issuer?: string;
  clientId: string;
  accessToken: string;
  refreshToken?: string;
  expiresMs?: number;
  lifeMs?: number;
  isRefused?: true;
  scopes: readonly string[];
};

/** A server as config.toml names it. */
export type ServerId = { name: string; url: string };

/** What is to be stored in place of a login; undefined removes it. Returning the login that was found leaves the file unchanged. */
export type ChangeLogin = (found: Credential | undefined) => Credential | undefined;

/**
 * `find`: undefined if nobody is logged in; throws FileError. `change` emits once the login that was found and the one that is stored,
 * and leaves other logins, and members that it does not know, unchanged; processes of codex-rx write one after another. Errors with
 * FileError, and with AuthError if another process does not release the lock.
 */
export type CredentialFile = {
  find: (server: ServerId) => Credential | undefined;
  change: (server: ServerId, next: ChangeLogin) => Observable<{ found?: Credential; kept?: Credential }>;
};

/** @param path of `.credentials.json`; @param lockPath of the lock, which the writing process holds; @param sha256 of a text, in hex */
export type CredentialFileDeps = {
  files: Pick<PrivateFiles, 'read' | 'replace' | 'lock'>;
  path: string;
  lockPath: string;
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
