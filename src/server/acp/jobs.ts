/** What this machine does for requests of ACP: finding, listing and removing threads, and logins. */
import { isAbsolute } from 'node:path';
import { concat, defer, expand, last, map, mergeMap, type Observable, of } from 'rxjs';
import {
  ListSessionsParams,
  NewSessionParams,
  SessionParams,
  StoredSessionParams,
  type Workspace,
} from '../../protocol/acp/params';
import { checkParams } from '../../protocol/jsonrpc/checkParams';
import { type JsonObject, textOf, withoutUndefined } from '../../protocol/jsonrpc/json';
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import type { CodexHost, SessionRequest, StoredConversation } from '../../protocol/methods/host';
import { unknownMethod } from '../../protocol/rpc/failureOutcome';
import { methodTable } from '../../protocol/rpc/router';
import { toTables } from './givenServers';
import { authStatus, type LoginEvent, logIn, oldAuthStatus, SET_PROVIDER } from './logins';
import { type Pace, type Past, replayThread } from './replay';
import type { Job } from './session';
import type { Shown } from './toolView';

/** What a job emits: addresses that the person must open, or pieces of the past of a thread, then its result; null if its session does not exist. */
type JobEvent = LoginEvent | { kind: 'past'; shown: Shown } | { kind: 'result'; result: unknown };

/** What the jobs need of this machine. */
type JobHost = Pick<CodexHost, 'sessions' | 'listStored' | 'account'> & Pace;

/** The job of a prompt that gives its session a name; no method of a client. */
export const RENAME = 'rename';
/** The method that names a session. */
export const SET_TITLE = 'session/set_title';
/** The method that archives a session. */
export const ARCHIVE = 'session/archive';
/** The method that brings an archived session back. */
export const UNARCHIVE = 'session/unarchive';

type Asked = Pick<Job, 'request' | 'gateway' | 'past'>;

/** The job of a request. Errors with RpcError, ConfigError or HostError. */
export const jobOf = (host: JobHost, job: Asked): Observable<JobEvent> => {
  if (job.past !== undefined) return replay(host, job.past);
  const act = actOf(job.request.method);
  if (act === undefined) throw unknownMethod(job.request.method);
  return act(host, job);
};

type Act = (host: JobHost, job: Asked) => Observable<JobEvent>;

const findStored: Act = ({ sessions }, job) => ofStored(job, (request) => sessions.find(request));

const actOf = methodTable<Act>({
  authenticate: (host, { request }) => logIn(host, request),
  [SET_PROVIDER]: (host, { request }) => logIn(host, request),
  'auth/status': (host, { gateway }) => authStatus(host, gateway).pipe(map(toResult)),
  'authentication/status': (host, { gateway }) => oldAuthStatus(host, gateway).pipe(map(toResult)),
  logout: ({ account }) => account.logout$.pipe(map(() => toResult({}))),
  'session/new': ({ sessions }, job) =>
    sessions.find(toSessionRequest(checkParams(NewSessionParams(), job.request.params), job)).pipe(map(toResult)),
  'session/load': findStored,
  'session/resume': findStored,
  'session/list': (host, { request }) =>
    listSessions(host, checkParams(ListSessionsParams(), request.params)).pipe(map(toResult)),
  'session/fork': ({ sessions }, job) => ofStored(job, (request) => sessions.fork(request)),
  [SET_TITLE]: (host, { request }) => found(host, request.params, () => rename(host, request.params)),
  'session/status': (host, { request }) => found(host, request.params, () => of(toResult({ status: 'saved' }))),
  [ARCHIVE]: (host, { request }) => setArchived(host, request.params, true),
  [UNARCHIVE]: (host, { request }) => setArchived(host, request.params, false),
  [RENAME]: (host, { request }) => rename(host, request.params),
  'session/delete': (host, { request }) => removeSession(host, checkParams(SessionParams(), request.params).sessionId),
});

const replay = (pace: Pace, past: Past): Observable<JobEvent> =>
  concat(replayThread(past, pace).pipe(map((shown): JobEvent => ({ kind: 'past', shown }))), of(toResult({})));

const toResult = (result: unknown): JobEvent => ({ kind: 'result', result });

/** A stored session, opened by `act`; null if its id is none. */
const ofStored = (
  job: Asked,
  act: (stored: SessionRequest & { id: string }) => Observable<unknown>,
): Observable<JobEvent> => {
  const { sessionId: id, ...workspace } = checkParams(StoredSessionParams(), job.request.params);
  return (IS_ID.test(id) ? act({ id, ...toSessionRequest(workspace, job) }) : of(null)).pipe(map(toResult));
};

/** What is done for a stored session; null if its id is none. */
const found = ({ sessions }: JobHost, params: JsonObject, act: () => Observable<JobEvent>): Observable<JobEvent> => {
  const id = textOf(params.sessionId);
  return (IS_ID.test(id) ? sessions.has(id) : of(false)).pipe(mergeMap((has) => (has ? act() : of(toResult(null)))));
};

const setArchived = ({ sessions }: JobHost, params: JsonObject, archived: boolean): Observable<JobEvent> => {
  const { sessionId: id } = checkParams(SessionParams(), params);
  return (IS_ID.test(id) ? sessions.setArchived(id, archived) : of(null)).pipe(
    map((thread) => toResult(thread === null ? null : {})),
  );
};

const rename = ({ sessions }: JobHost, { sessionId, title }: JsonObject): Observable<JobEvent> =>
  sessions.rename(textOf(sessionId), textOf(title)).pipe(map(() => toResult({ title })));

/** A session is named by its whole id: the beginning of one could mean another. */
const IS_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const removeSession = (host: JobHost, id: string): Observable<JobEvent> =>
  (IS_ID.test(id) ? host.sessions.remove(id) : of(null)).pipe(map(() => toResult({})));

const toSessionRequest = (
  { cwd, additionalDirectories, mcpServers, systemPrompt }: Workspace,
  { gateway }: Asked,
): SessionRequest => ({
  cwd,
  folders: additionalDirectories ?? [],
  servers: toTables(mcpServers ?? []),
  ...(gateway && { gateway }),
  ...(systemPrompt && { instructions: systemPrompt.content.map(({ text }) => text).join('\n\n') }),
});

const PAGE = 50;

type ListParams = ReturnType<ReturnType<typeof ListSessionsParams>['parse']>;

/** Where the list goes on: after a thread, or at the newest. */
type Place = { after?: string | undefined; archived: boolean };

type Listing = { found: readonly object[]; from: Place; isOver: boolean };

/** A page of sessions, newest first, archived ones last. Threads without a prompt, which clients leave behind, are left out. */
export const listSessions = (
  { listStored }: Pick<CodexHost, 'listStored'>,
  { cwd, cursor, archived }: ListParams,
): Observable<unknown> =>
  defer(() => {
    const isMeant = (one: StoredConversation): boolean =>
      one.preview !== '' && isAbsolute(one.cwd) && (!cwd || withoutSlash(one.cwd) === withoutSlash(cwd));
    const next = ({ found, from }: Listing): Observable<Listing> =>
      listStored({ limit: PAGE, ...withoutUndefined(from) }).pipe(
        map((all) => ({
          found: [
            ...found,
            ...all
              .filter(isMeant)
              .map((one) => ({ ...toSessionInfo(one), ...(archived && { archived: from.archived }) })),
          ],
          isOver: all.length < PAGE && (from.archived || archived !== 'include'),
          from: all.length < PAGE ? { archived: true } : { ...from, after: all.at(-1)?.path },
        })),
      );
    const from = cursor ? readCursor(cursor) : { archived: archived === 'only' };
    return next({ found: [], from, isOver: false }).pipe(
      expand((page) => (page.isOver || page.found.length >= PAGE ? [] : next(page))),
      last(),
      map((page) => ({ sessions: page.found, ...(!page.isOver && { nextCursor: toCursor(page.from) }) })),
    );
  });

const withoutSlash = (path: string): string => path.replace(/(?<=.)\/+$/, '');

const ARCHIVED = 'archived ';

const toCursor = ({ after = '', archived }: Place): string =>
  Buffer.from(`${archived ? ARCHIVED : ''}${after}`).toString('base64url');

/** The path of the last thread that was looked at, or of none. */
const readCursor = (cursor: string): Place => {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const archived = text.startsWith(ARCHIVED);
  const after = archived ? text.slice(ARCHIVED.length) : text;
  const isKnown = /^\S.*rollout-[^/\\]*\.jsonl$/.test(after) || text === ARCHIVED;
  if (isKnown && toCursor({ after, archived }) === cursor) return { after: after || undefined, archived };
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
