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
  SetConfigOptionParams,
  SetModeParams,
  SetTitleParams,
  StoredSessionParams,
} from '../../protocol/acp/params';
import { checkParams } from '../../protocol/jsonrpc/checkParams';
import { INVALID_PARAMS, type Request, RpcError } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { clipName, unknownMethod } from '../../protocol/rpc/failureOutcome';
import { methodTable } from '../../protocol/rpc/router';
import { CHATGPT, METHODS_OF_LOGIN, PRESENT, toAuthMethods } from './authMethods';
import { beginPrompt } from './beginPrompt';
import { RENAME, SET_TITLE } from './jobs';
import { BUSY, notFound, toBegin } from './opening';
import {
  beginJob,
  type Connection,
  joinSteps,
  putSession,
  respond,
  type Session,
  sessionOf,
  toStep,
  toUpdate,
  type WithInputs,
} from './session';
import { choose, toModes, toOptions } from './sessionConfig';
import { STEER, STEERING, steer } from './steering';
import { toTitle } from './toolCalls';

/** What the methods need. */
export type AcpDeps = {
  newCallId: () => string;
  /** Never returns the same id twice, nor one of a question of the agent. */
  newQuestionId: () => number;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The version of this program. */
  version: string;
};

type Method = (deps: AcpDeps, state: Connection, request: Request) => WithInputs;

/** The step of a request. Throws RpcError for a fault of the client. */
export const receiveRequest = (deps: AcpDeps, state: Connection, request: Request): WithInputs => {
  const method = methodOf(request.method);
  if (method === undefined) throw unknownMethod(request.method);
  return method(deps, state, request);
};

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
      // `fork` is a draft. Source: SessionForkCapabilities of the unstable schema. `title` is one too, and stands in `_meta` like an extension.
      sessionCapabilities: {
        list: {},
        resume: {},
        close: {},
        delete: {},
        fork: {},
        additionalDirectories: {},
        _meta: { title: {} },
      },
      auth: { logout: {} },
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
  if (METHODS_OF_LOGIN.includes(methodId)) return beginJob(state, request, job);
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

const opened = (state: Connection, sessionId: string): Session => {
  const session = sessionOf(state, sessionId);
  if (session !== undefined && !session.isClosing) return session;
  const { code, message, data } = notFound(sessionId);
  throw new RpcError(code, message, data);
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

/** An open session is closed first. What is not there counts as deleted. */
const deleteSession: Method = ({ newCallId }, state, request) => {
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

/** Both sides know of the change: the response confirms it, the update shows it in the list of options. */
const setMode: Method = (_, state, request) => {
  const { sessionId, modeId } = checkParams(SetModeParams(), request.params);
  const session = chosen(opened(state, sessionId), ['mode', modeId]);
  const update = toUpdate(sessionId, {
    sessionUpdate: 'config_option_update',
    configOptions: toOptions(session.facts, session.choices),
  });
  return toStep(putSession(state, session), respond(request, {}), update);
};

/** A session that is not open is looked for first; an open session may not be stored yet. */
const setTitle: Method = (_, state, request) => {
  const { sessionId, title: given } = checkParams(SetTitleParams(), request.params);
  const title = toTitle(given);
  if (title === '') throw new RpcError(INVALID_PARAMS, 'Invalid params: params.title must have a visible character');
  const method = sessionOf(state, sessionId) === undefined ? request.method : RENAME;
  return beginJob(state, request, { ...request, method, params: { sessionId, title } });
};

const setConfigOption: Method = (_, state, request) => {
  const { sessionId, configId, value } = checkParams(SetConfigOptionParams(), request.params);
  const before = opened(state, sessionId);
  const session = chosen(before, [configId, value]);
  const { facts, choices } = session;
  const step = toStep(putSession(state, session), respond(request, { configOptions: toOptions(facts, choices) }));
  const { currentModeId } = toModes(facts, choices);
  if (currentModeId === before.choices.mode) return step;
  return joinSteps(
    step,
    toStep(step.state, toUpdate(sessionId, { sessionUpdate: 'current_mode_update', currentModeId })),
  );
};

const chosen = (session: Session, choice: [string, unknown]): Session => {
  const choices = choose(session.facts, session.choices, choice);
  if (choices !== undefined) return { ...session, choices };
  const [id, value] = choice.map((one) => clipName(String(one)));
  throw new RpcError(
    INVALID_PARAMS,
    `Invalid params: ${id} has no value ${value}; take an id and a value of configOptions`,
  );
};

const logout: Method = (_, state, request) => beginJob(state, request);

const methodOf = methodTable<Method>({
  initialize,
  authenticate,
  logout,
  'session/new': newSession,
  'session/load': storedSession,
  'session/resume': storedSession,
  'session/list': listSessions,
  'session/fork': forkSession,
  'session/close': closeSession,
  'session/delete': deleteSession,
  'session/prompt': prompt,
  [STEER]: steering,
  'session/set_mode': setMode,
  'session/set_config_option': setConfigOption,
  [SET_TITLE]: setTitle,
});
