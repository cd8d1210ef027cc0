/** What this machine does for requests of ACP: finding, listing and removing threads, and logins. */
import { isAbsolute } from 'node:path';
import { defer, expand, last, map, mergeMap, type Observable, of, throwError } from 'rxjs';
import {
  AuthenticateParams,
  GatewayParams,
  type GivenServer,
  ListSessionsParams,
  NewSessionParams,
  SessionParams,
  StoredSessionParams,
  type Workspace,
} from '../../protocol/acp/params';
import { checkParams } from '../../protocol/jsonrpc/checkParams';
import { type JsonObject, textOf } from '../../protocol/jsonrpc/json';
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import type { CodexHost, Gateway, SessionRequest, StoredConversation } from '../../protocol/methods/host';
import { clipName } from '../../protocol/rpc/failureOutcome';
import { withFreeNames } from '../host/sessions';
import { CHATGPT, GATEWAY, NO_LOGIN } from './authMethods';
import type { Job } from './session';

/** What a job emits: addresses that the person must open, then its result. */
type JobEvent = { kind: 'page'; url: string } | { kind: 'result'; result: unknown };

/** What the jobs need of this machine. */
type JobHost = Pick<CodexHost, 'sessions' | 'listStored' | 'account'>;

/** The job of a prompt that gives its session a name; no method of a client. */
export const RENAME = 'rename';
/** The method that names a session. */
export const SET_TITLE = 'session/set_title';

type Asked = Pick<Job, 'request' | 'gateway'>;

/** The job of a request. Errors with RpcError, ConfigError or HostError. */
export const jobOf = (host: JobHost, job: Asked): Observable<JobEvent> => {
  const { method, params } = job.request;
  switch (method) {
    case 'authenticate':
      return authenticate(host, checkParams(AuthenticateParams(), params).methodId, params);
    case 'logout':
      return host.account.logout$.pipe(map(() => toResult({})));
    case 'session/new':
      return host.sessions.find(toSessionRequest(checkParams(NewSessionParams(), params), job)).pipe(map(toResult));
    case 'session/list':
      return listSessions(host, checkParams(ListSessionsParams(), params)).pipe(map(toResult));
    case 'session/fork':
      return ofStored(job, (request) => host.sessions.fork(request));
    case SET_TITLE:
      return findIn(host, textOf(params.sessionId)).pipe(
        mergeMap((facts) => (facts === null ? of(toResult(null)) : rename(host, params))),
      );
    case RENAME:
      return rename(host, params);
    case 'session/delete':
      return removeSession(host, checkParams(SessionParams(), params).sessionId);
    default:
      return ofStored(job, (request) => host.sessions.find(request));
  }
};

const toResult = (result: unknown): JobEvent => ({ kind: 'result', result });

/** A stored session, opened by `act`; null if its id is none. */
const ofStored = (
  job: Asked,
  act: (stored: SessionRequest & { id: string }) => Observable<unknown>,
): Observable<JobEvent> => {
  const { sessionId: id, ...workspace } = checkParams(StoredSessionParams(), job.request.params);
  return (IS_ID.test(id) ? act({ id, ...toSessionRequest(workspace, job) }) : of(null)).pipe(map(toResult));
};

const findIn = ({ sessions }: JobHost, id: string) =>
  IS_ID.test(id) ? sessions.find({ id, cwd: '.', folders: [], servers: {} }) : of(null);

const rename = ({ sessions }: JobHost, { sessionId, title }: JsonObject): Observable<JobEvent> =>
  sessions.rename(textOf(sessionId), textOf(title)).pipe(map(() => toResult({ title })));

/** A session is named by its whole id: the beginning of one could mean another. */
const IS_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const removeSession = (host: JobHost, id: string): Observable<JobEvent> =>
  (IS_ID.test(id) ? host.sessions.remove(id) : of(null)).pipe(map(() => toResult({})));

/** Without a page, a login is needed as far as a session in the folder of this process would need one: a local model needs none. */
const authenticate = ({ account, sessions }: JobHost, method: string, params: JsonObject): Observable<JobEvent> => {
  const gateway = method === GATEWAY ? readGateway(params) : undefined;
  return method === CHATGPT
    ? account.login$.pipe(
        map((event) => (event.kind === 'waiting' ? { kind: 'page' as const, url: event.url } : toResult({}))),
      )
    : sessions
        .find({ cwd: '.', folders: [], servers: {}, ...(gateway && { gateway }) })
        .pipe(mergeMap((facts) => (facts?.needsLogin ? throwError(noLogin) : of(toResult({})))));
};

/** The server of models in the params of a login. Throws RpcError. */
export const readGateway = (params: JsonObject): Gateway => {
  const { baseUrl: url, headers, providerName } = checkParams(GatewayParams(), params)._meta.gateway;
  const pairs = Object.entries(headers ?? {}).map(([name, value]) => ({ name, value }));
  const fault = faultOf({ type: 'http', name: GATEWAY, url, headers: pairs });
  if (fault === undefined) return { name: providerName || 'Gateway of the editor', url, headers: headers ?? {} };
  throw new RpcError(INVALID_PARAMS, `Invalid params: the gateway ${fault}`);
};

const noLogin = (): RpcError => new RpcError(NO_LOGIN.code, NO_LOGIN.message);

const toSessionRequest = (
  { cwd, additionalDirectories, mcpServers }: Workspace,
  { gateway }: Asked,
): SessionRequest => ({
  cwd,
  folders: additionalDirectories ?? [],
  servers: withFreeNames((mcpServers ?? []).map((server) => [toServerName(server), toTable(server)])),
  ...(gateway && { gateway }),
});

/** Tools are named after their server, and models take no other characters in a name. */
const toServerName = ({ name }: GivenServer): string => name.replace(/[^\w-]+/g, '_') || 'server';

/** The table that config.toml would have. */
const toTable = (server: GivenServer): JsonObject => {
  if ('url' in server) {
    const fault = faultOf(server);
    if (fault !== undefined) {
      throw new RpcError(INVALID_PARAMS, `Invalid params: the MCP server ${clipName(server.name)} ${fault}`);
    }
    return { url: server.url, http_headers: toRecord(server.headers) };
  }
  return { command: server.command, args: server.args ?? [], env: toRecord(server.env) };
};

const faultOf = ({ type, url, headers = [] }: Extract<GivenServer, { url: string }>): string | undefined => {
  if (type === 'sse') return 'is reached by SSE, which this agent does not speak; give its address for streamable HTTP';
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return 'needs an address that begins with https:// or http://';
  return headers.every(isHeader) ? undefined : 'has a header whose name or value HTTP does not allow';
};

/** Source: RFC 9110, 5.1 and 5.5: a token, and no control characters. */
const isHeader = ({ name, value }: { name: string; value: string }): boolean =>
  /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

const toRecord = (pairs: readonly { name: string; value: string }[] = []): Record<string, string> =>
  Object.fromEntries(pairs.map(({ name, value }) => [name, value]));

const PAGE = 50;

type ListParams = { cwd?: string | null; cursor?: string | null };

type Listing = { found: readonly StoredConversation[]; after: string | undefined; isOver: boolean };

/** A page of sessions, newest first. Threads without a prompt, which clients leave behind, are left out. */
const listSessions = ({ listStored }: JobHost, { cwd, cursor }: ListParams): Observable<unknown> =>
  defer(() => {
    const isMeant = (one: StoredConversation): boolean =>
      one.preview !== '' && isAbsolute(one.cwd) && (!cwd || withoutSlash(one.cwd) === withoutSlash(cwd));
    const next = ({ found, after }: Listing): Observable<Listing> =>
      listStored({ ...(after !== undefined && { after }), limit: PAGE }).pipe(
        map((all) => ({
          found: [...found, ...all.filter(isMeant)],
          after: all.at(-1)?.path ?? after,
          isOver: all.length < PAGE,
        })),
      );
    return next({ found: [], after: cursor ? readCursor(cursor) : undefined, isOver: false }).pipe(
      expand((page) => (page.isOver || page.found.length >= PAGE ? [] : next(page))),
      last(),
      map(({ found, after, isOver }) => ({
        sessions: found.map(toSessionInfo),
        ...(!isOver && after !== undefined && { nextCursor: Buffer.from(after).toString('base64url') }),
      })),
    );
  });

const withoutSlash = (path: string): string => path.replace(/(?<=.)\/+$/, '');

/** The path of the last thread that was looked at. */
const readCursor = (cursor: string): string => {
  const path = Buffer.from(cursor, 'base64url').toString('utf8');
  if (/^\S.*rollout-[^/\\]*\.jsonl$/.test(path) && Buffer.from(path).toString('base64url') === cursor) return path;
  throw new RpcError(
    INVALID_PARAMS,
    'Invalid params: params.cursor is not of this agent; take nextCursor of the page before',
  );
};

const toSessionInfo = ({ id, cwd, preview, name, writtenMs }: StoredConversation) => ({
  sessionId: id,
  cwd,
  title: name ?? preview.split('\n')[0],
  updatedAt: new Date(writtenMs).toISOString(),
});
