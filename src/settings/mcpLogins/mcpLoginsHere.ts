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

type StartMcpLogin = {
  here: Here;
  /** The name of the server in config.toml. */
  name: string;
  url: string;
  /** What the token must allow; if empty, the server chooses. */
  scopes: readonly string[];
};

/** Emits where to log in, then that it is done; see mcpLogin. */
export const startMcpLogin = ({ here, ...login }: StartMcpLogin): Observable<McpLoginEvent> =>
  mcpLogin({
    ...mcpLoginsHere(here),
    send: httpPost({ backpressure: noBackpressure, env: here.env }),
    listen$: listenAnywhere(),
    random: (bytes) => randomBytes(bytes).toString('base64url'),
    sha256: (text) => createHash('sha256').update(text).digest('base64url'),
  })(login);

/** Sends with the token of a login, if there is one. `tokens`: the current and all earlier tokens, which must not be shown. */
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
