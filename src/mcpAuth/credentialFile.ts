/** The file of logins at MCP servers, in the format of Codex, which an installed Codex reads and writes too. */
import type { PrivateFiles } from '../files';
import { isObject, type JsonObject, parseObject } from '../protocol/jsonrpc';

/** A login: who gave it, to which client, and its tokens. `expiresMs` in ms since 1970. */
export type Credential = {
  issuer?: string;
  clientId: string;
  accessToken: string;
  refreshToken?: string;
  expiresMs?: number;
  scopes: readonly string[];
};

/** A server as config.toml names it. */
export type ServerId = { name: string; url: string };

/**
 * `find`: undefined where nobody is logged in. `keep` leaves other logins, and members that it does not know, as they are. `remove`: false
 * where nobody was. All throw FileError.
 */
export type CredentialFile = {
  find: (server: ServerId) => Credential | undefined;
  keep: (server: ServerId, credential: Credential) => void;
  remove: (server: ServerId) => boolean;
};

/** @param path of `.credentials.json`; @param sha256 of a text, hex */
export type CredentialFileDeps = {
  files: Pick<PrivateFiles, 'read' | 'replace'>;
  path: string;
  sha256: (text: string) => string;
};

/** The file is read at each use. A broken one counts as empty, and is replaced by the next login. */
export const credentialFile = ({ files, path, sha256 }: CredentialFileDeps): CredentialFile => {
  const all = (): JsonObject => parseObject(files.read(path) ?? '') ?? {};
  const keyOf = toKey(sha256);
  const write = (entries: JsonObject) => files.replace(path, JSON.stringify(entries));
  const find = (server: ServerId) => toCredential(all()[keyOf(server)]);
  return {
    find,
    keep: (server, credential) =>
      write({ ...all(), [keyOf(server)]: toEntry(server, credential, all()[keyOf(server)]) }),
    remove: (server) => {
      const { [keyOf(server)]: found, ...others } = all();
      if (found !== undefined) write(others);
      return found !== undefined;
    },
  };
};

/** Source: Codex 0.169.0, a login at a local server. */
const toKey =
  (sha256: (text: string) => string) =>
  ({ name, url }: ServerId): string =>
    `${name}|${sha256(JSON.stringify({ type: 'http', url, headers: {} })).slice(0, 16)}`;

const toCredential = (entry: unknown): Credential | undefined => {
  if (!isObject(entry)) return undefined;
  const { issuer, client_id, access_token, refresh_token, expires_at, scopes } = entry;
  if (typeof client_id !== 'string' || typeof access_token !== 'string') return undefined;
  return {
    ...(typeof issuer === 'string' && { issuer }),
    ...{ clientId: client_id, accessToken: access_token },
    ...(typeof refresh_token === 'string' && { refreshToken: refresh_token }),
    ...(typeof expires_at === 'number' && { expiresMs: expires_at }),
    scopes: Array.isArray(scopes) ? scopes.map(String) : [],
  };
};

const toEntry = (
  { name, url }: ServerId,
  { issuer, clientId, accessToken, refreshToken, expiresMs, scopes }: Credential,
  old: unknown,
): JsonObject => {
  const { expires_at: _, refresh_token: __, ...others } = isObject(old) ? old : {};
  return {
    ...others,
    ...{ server_name: name, server_url: url },
    ...(issuer !== undefined && { issuer }),
    ...{ client_id: clientId, access_token: accessToken },
    ...(expiresMs !== undefined && { expires_at: expiresMs }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    scopes: [...scopes],
  };
};
