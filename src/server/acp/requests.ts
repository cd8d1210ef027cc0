/** The requests of a client by their methods. */
import { isAbsolute } from 'node:path';
import { PROTOCOL_VERSION, readCapabilities } from '../../protocol/acp/acp';
import {
  AuthenticateParams,
  InitializeParams,
  ListSessionsParams,
  NewSessionParams,
  PromptParams,
  SessionParams,
  SetTitleParams,
  StoredSessionParams,
} from '../../protocol/acp/params';
import { checkParams } from '../../protocol/jsonrpc/checkParams';
import { INVALID_PARAMS, type Request, RpcError } from '../../protocol/jsonrpc/messages';
import { clipName, unknownMethod } from '../../protocol/rpc/failureOutcome';
import { methodTable } from '../../protocol/rpc/router';
import { CHATGPT, METHODS_OF_LOGIN, PRESENT, toAuthMethods } from './authMethods';
import { beginPrompt } from './beginPrompt';
import { ARCHIVE, RENAME, SET_TITLE, UNARCHIVE } from './jobs';
import { disableProvider, listProviders, SET_PROVIDER, setProvider } from './logins';
import { BUSY, opened, setConfigOption, setMode, setModel, toBegin } from './opening';
import {
  beginJob,
  type Connection,
  type Method,
  putSession,
  respond,
  type Session,
  sessionOf,
  toStep,
  type WithInputs,
} from './session';
import { STEER, STEERING, steer } from './steering';
import { toTitle } from './toolCalls';

/** The step of a request. Throws RpcError for a fault of the client. */
export const receiveRequest: Method = (deps, state, request) => {
  const name = OLD_NAMES.get(request.method) ?? request.method;
  const method = methodOf(name);
  if (method === undefined) throw unknownMethod(request.method);
  return method(deps, state, { ...request, method: name });
};

/** Source: codex-acp 2.6.0. */
const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ['_session/archive', ARCHIVE],
  ['_session/unarchive', UNARCHIVE],
  ['_session/rename', SET_TITLE],
  ['authentication/logout', 'logout'],
]);

/** A client of any version gets the only version there is. A second handshake replaces what the client has declared. */
const initialize: Method = ({ version }, state, request) => {
  const { clientCapabilities, clientInfo } = checkParams(InitializeParams(), request.params);
  const client = readCapabilities(clientCapabilities, clientInfo?.name);
  const result = {
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      // Source: the unstable schema of @agentclientprotocol/sdk 2.4.0. Drafts that clients of version 1 do not know are in `_meta`, like extensions.
      providers: {},
      sessionCapabilities: {
        list: {},
        resume: {},
        close: {},
        delete: {},
        fork: {},
        additionalDirectories: {},
        _meta: { title: {}, archive: {}, status: {}, systemPrompt: {} },
      },
      auth: { logout: {}, _meta: { status: {} } },
    },
    agentInfo: { name: 'codex-rx', title: 'codex-rx', version },
    authMethods: toAuthMethods(client),
    _meta: STEERING,
  };
  return toStep({ ...state, client }, respond(request, result));
};

/** Some clients ask for the login at ChatGPT at each start and can open no page: for them the login that is there has to do. */
const authenticate: Method = (_, state, request) => {
  const { methodId } = checkParams(AuthenticateParams(), request.params);
  const job = methodId === CHATGPT && !state.client.urls ? { ...request, params: { methodId: PRESENT } } : request;
  if (METHODS_OF_LOGIN.includes(methodId)) return beginJob(state, request, { job });
  throw new RpcError(INVALID_PARAMS, `Invalid params: there is no auth method ${clipName(methodId)}`);
};

const newSession: Method = (_, state, request) => {
  checkFolders(checkParams(NewSessionParams(), request.params));
  return beginJob(state, request);
};

const storedSession: Method = (_, state, request) => {
  checkFolders(checkParams(StoredSessionParams(), request.params));
  return beginJob(state, request);
};

/** The past of a turn that runs is not whole. */
const forkSession: Method = (deps, state, request) => {
  const { sessionId } = checkParams(StoredSessionParams(), request.params);
  if (sessionOf(state, sessionId)?.prompt !== undefined) throw new RpcError(BUSY.code, BUSY.message);
  return storedSession(deps, state, request);
};

const checkFolders = ({ cwd, additionalDirectories }: { cwd: string; additionalDirectories?: string[] | null }) => {
  const wrong = [cwd, ...(additionalDirectories ?? [])].find((path) => !isAbsolute(path));
  if (wrong === undefined) return;
  throw new RpcError(INVALID_PARAMS, `Invalid params: ${JSON.stringify(clipName(wrong))} must be an absolute path`);
};

const listSessions: Method = (_, state, request) => {
  const { cwd } = checkParams(ListSessionsParams(), request.params);
  checkFolders({ cwd: cwd ?? '/' });
  return beginJob(state, request);
};

/** Ends what runs, and answers when all of it has ended. */
const closeSession: Method = ({ newCallId }, state, request) => {
  const { sessionId } = checkParams(SessionParams(), request.params);
  return closing(newCallId(), state, { request, session: opened(state, sessionId) });
};

type Closing = { request: Request; session: Session };

const closing = (callId: string, state: Connection, { request, session }: Closing): WithInputs => {
  const { id, prompt } = session;
  const close = toBegin('close', callId, { request, sessionId: id, thread: { id } });
  const closed = { ...session, isClosing: true } as const;
  if (prompt === undefined) return { ...toStep(putSession(state, closed)), inputs: [close] };
  const stopping = putSession(state, { ...closed, prompt: { ...prompt, stop: prompt.stop ?? 'session' } });
  return { ...toStep(stopping), inputs: [{ kind: 'stop', callId: prompt.callId }, close] };
};

/** Deletes or archives a session. An open one is closed first. What is not there counts as deleted. */
const putAway: Method = ({ newCallId }, state, request) => {
  const { sessionId } = checkParams(SessionParams(), request.params);
  const session = sessionOf(state, sessionId);
  return session === undefined ? beginJob(state, request) : closing(newCallId(), state, { request, session });
};

const prompt: Method = (deps, state, request) => {
  const { sessionId, prompt: blocks } = checkParams(PromptParams(), request.params);
  const session = opened(state, sessionId);
  if (session.prompt !== undefined) throw new RpcError(BUSY.code, BUSY.message);
  return beginPrompt(deps, state, { request, session, blocks });
};

const steering: Method = ({ newCallId }, state, request) => {
  const { sessionId, prompt: blocks } = checkParams(PromptParams(), request.params);
  return steer(newCallId(), state, { request, session: opened(state, sessionId), blocks });
};

/** A session that is not open is looked for first; an open session may not be stored yet. */
const setTitle: Method = (_, state, request) => {
  const { sessionId, title: given } = checkParams(SetTitleParams(), request.params);
  const title = toTitle(given);
  if (title === '') throw new RpcError(INVALID_PARAMS, 'Invalid params: params.title must have a visible character');
  const method = sessionOf(state, sessionId) === undefined ? request.method : RENAME;
  return beginJob(state, request, { job: { ...request, method, params: { sessionId, title } } });
};

/** An open session may not be stored yet. */
const sessionStatus: Method = (_, state, request) => {
  const { sessionId } = checkParams(SessionParams(), request.params);
  const session = sessionOf(state, sessionId);
  return session === undefined || session.isClosing
    ? beginJob(state, request)
    : toStep(state, respond(request, { status: 'open' }));
};

const unarchive: Method = (_, state, request) => {
  checkParams(SessionParams(), request.params);
  return beginJob(state, request);
};

const asJob: Method = (_, state, request) => beginJob(state, request);

const methodOf = methodTable<Method>({
  initialize,
  authenticate,
  logout: asJob,
  'auth/status': asJob,
  'authentication/status': asJob,
  'providers/list': listProviders,
  [SET_PROVIDER]: setProvider,
  'providers/disable': disableProvider,
  'session/new': newSession,
  'session/load': storedSession,
  'session/resume': storedSession,
  'session/list': listSessions,
  'session/fork': forkSession,
  'session/close': closeSession,
  'session/delete': putAway,
  [ARCHIVE]: putAway,
  [UNARCHIVE]: unarchive,
  'session/status': sessionStatus,
  'session/prompt': prompt,
  [STEER]: steering,
  'session/set_mode': setMode,
  'session/set_model': setModel,
  'session/set_config_option': setConfigOption,
  [SET_TITLE]: setTitle,
});
