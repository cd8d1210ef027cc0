/** Reaches MCP servers behind a URL from this machine. */
import { map } from 'rxjs';
import type { Backend } from '../../executor/backend';
import { type McpBackendDeps, mcpBackend } from '../../executor/mcp/mcpBackend';
import type { HttpPost } from '../../io/http/httpRequest';
import { secretsInAddress } from '../../io/log/maskAddress';
import { redactText } from '../../io/log/redactText';
import { isHttpUrl, toPublicUrl } from '../../io/mcpServer/httpAddress';
import { authorizedHere } from '../../settings/mcpLogins/mcpLoginsHere';
import type { SeamPorts } from '../../tapes/seams/ports';
import { NotStarted, type ToolServerSpec } from '../toolServers/toolServer';

/** How long a connection may take, with proxy and TLS. */
const CONNECT_MS = 10_000;

type UrlServer = {
  backend: Backend;
  /** The address without its secrets. */
  name: string;
};

export type UrlServersDeps = Pick<McpBackendDeps, 'send' | 'background' | 'log'> & {
  /** Has the tokens. */
  env: Readonly<Record<string, string | undefined>>;
  /** Has the logins. */
  codexHome: string;
  seams: Pick<SeamPorts, 'backend' | 'effects'>;
  /** Plays the recorded sessions in a rerun. */
  local: Backend;
};

/** Throws NotStarted for a server that cannot be addressed as it is configured. */
export const toolServerByUrl =
  ({ env, codexHome, seams, send, background, log, local }: UrlServersDeps) =>
  (server: string, spec: ToolServerSpec): UrlServer => {
    const url = urlOf(spec);
    const name = toPublicUrl(new URL(url));
    if (seams.effects === 'none') return { name, backend: local };
    const headers = headersOf(spec, env);
    const own =
      headers.authorization === undefined ? authorizedHere({ codexHome }, send, { name: server, url }) : undefined;
    const plain = mcpBackend({
      send: withHeaders(own?.send ?? send, headers),
      url,
      name,
      background,
      log,
      beginMs: spec.startTimeoutMs,
      login: `codex-rx mcp login ${server}`,
    });
    const given = Object.values(headers).flatMap((value) => [value, value.replace(/^Bearer /, '')]);
    const inUrl = secretsInAddress(url);
    const secrets = () => [...given, ...inUrl, ...(own?.tokens() ?? [])];
    return { name, backend: seams.backend(withoutSecrets(plain, secrets)) };
  };

const urlOf = ({ url = '', environmentId }: ToolServerSpec): string => {
  if (!isHttpUrl(url)) throw new NotStarted('its url is no address that begins with https:// or http://');
  if (environmentId === 'local') return url;
  throw new NotStarted(
    `a server behind a URL is reached from this machine; take environment_id = "${environmentId}" out`,
  );
};

/** The headers of the configuration, with names in lower case. As in Codex, a header is left out if its variable is unset. */
const headersOf = (
  { bearerTokenEnvVar, httpHeaders, envHttpHeaders }: ToolServerSpec,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> => {
  const token = bearerTokenEnvVar === undefined ? undefined : env[bearerTokenEnvVar]?.trim();
  if (token === '' || (token === undefined && bearerTokenEnvVar !== undefined)) {
    throw new NotStarted(`the variable ${bearerTokenEnvVar}, which bearer_token_env_var names, is not set`);
  }
  const own = Object.entries(envHttpHeaders).map(([name, variable]) => [name, env[variable]?.trim() ?? '']);
  const bearer = token === undefined ? [] : [['authorization', `Bearer ${token}`]];
  const all = [...bearer, ...Object.entries(httpHeaders), ...own] as [string, string][];
  return Object.fromEntries(all.flatMap(([name, value]) => (value === '' ? [] : [[name.toLowerCase(), value]])));
};

/** Adds headers to each request; headers of the protocol take precedence. */
const withHeaders =
  (send: HttpPost, headers: Record<string, string>): HttpPost =>
  (request) =>
    send({ ...request, connectMs: CONNECT_MS, headers: { ...headers, ...request.headers } });

/** A server may send back the secrets that it was sent. */
const withoutSecrets = ({ start }: Backend, secretsNow: () => readonly string[]): Backend => ({
  start: (spec) =>
    start(spec).pipe(
      map((event) => {
        if (event.kind !== 'failed') return event;
        const hide = redactText({ secrets: secretsNow(), maxChars: Number.POSITIVE_INFINITY });
        return { ...event, reason: hide(event.reason) };
      }),
    ),
});
