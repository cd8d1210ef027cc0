/** Wires logins at MCP servers to this machine: their file in the folder of Codex, HTTP, the browser. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Observable } from 'rxjs';
import { filesHere } from '../../io/disk/filesHere';
import type { HttpPost } from '../../io/http/httpRequest';
import { httpPost } from '../../io/http/sendRequest';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { noBackpressure } from '../../streams/backpressure';
import { listenAnywhere } from '../logins/listenCallback';
import { authorized } from '../mcpAuth/authorized';
import { type CredentialFile, credentialFile, type ServerId } from '../mcpAuth/credentialFile';
import { type McpLoginEvent, mcpLogin } from '../mcpAuth/mcpLogin';

type Here = Pick<ProcessInfo, 'codexHome' | 'env'>;

/** The logins of this home. */
export const mcpLoginsHere = ({ codexHome }: Pick<Here, 'codexHome'>) => {
  const { files } = filesHere(codexHome);
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const locks = join(codexHome, 'codex-rx', 'locks');
  const path = join(codexHome, '.credentials.json');
  const file = credentialFile({ files, path, lockPath: join(locks, 'mcp-auth.lock'), sha256 });
  const lockPathOf = ({ name, url }: ServerId): string =>
    join(locks, `mcp-auth-${sha256(JSON.stringify([name, url])).slice(0, 16)}.lock`);
  return { file, lock: files.lock, lockPathOf, now: Date.now };
};

/** @param name of the server in config.toml; @param scopes what is asked for, where the server is not to choose */
export type StartMcpLogin = { here: Here; name: string; url: string; scopes: readonly string[] };

/** Emits where to log in, then that it is done; see mcpLogin. */
export const startMcpLogin = ({ here, ...login }: StartMcpLogin): Observable<McpLoginEvent> =>
  mcpLogin({
    ...mcpLoginsHere(here),
    send: httpPost({ backpressure: noBackpressure, env: here.env }),
    listen$: listenAnywhere(),
    random: (bytes) => randomBytes(bytes).toString('base64url'),
    sha256: (text) => createHash('sha256').update(text).digest('base64url'),
  })(login);

/** Sends with the token of a login, where there is one; `tokens` are what must not be shown: the current ones, and those that were sent before. */
export const authorizedHere = (
  here: Pick<Here, 'codexHome'>,
  send: HttpPost,
  server: { name: string; url: string },
) => {
  const logins = mcpLoginsHere(here);
  const seen = new Set<string>();
  const find: CredentialFile['find'] = (one) => {
    const found = logins.file.find(one);
    for (const token of [found?.accessToken, found?.refreshToken]) if (token !== undefined) seen.add(token);
    return found;
  };
  const tokens = (): string[] => {
    find(server);
    return [...seen];
  };
  return { send: authorized({ ...logins, file: { ...logins.file, find }, send })(server), tokens };
};
