/** Sessions that begin and end, as the thread behind each is opened and closed; and the methods that change a mode or an option of one. */
import { NOT_FOUND } from '../../protocol/acp/acp';
import { SetConfigOptionParams, SetModelParams, SetModeParams } from '../../protocol/acp/params';
import type { ThreadRef } from '../../protocol/codex/operations';
import type { TurnSettings } from '../../protocol/codex/turnSettings';
import { checkParams } from '../../protocol/jsonrpc/checkParams';
import { wordOf } from '../../protocol/jsonrpc/json';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type Request,
  RpcError,
} from '../../protocol/jsonrpc/messages';
import type { SessionFacts } from '../../protocol/methods/host';
import { clipName } from '../../protocol/rpc/failureOutcome';
import type { CallInput, CallOutput } from '../calls/step';
import type { Outcome } from '../calls/turn';
import { NO_LOGIN } from './authMethods';
import { finishPrompt } from './prompting';
import {
  type AcpCaller,
  type AcpStep,
  beginJob,
  CANCELLED,
  type Connection,
  dropSession,
  joinSteps,
  type Method,
  putSession,
  refuse,
  respond,
  type Session,
  sessionOf,
  toSentence,
  toStep,
  toUpdate,
  type WithInputs,
} from './session';
import { choose, firstChoices, toModes, toOptions } from './sessionConfig';
import { toCommands } from './slashCommands';
import { newView } from './toolView';

type OpeningDeps = { newCallId: () => string };

/** `forked`: the thread that was made for the session. */
type Found = { request: Request; facts: SessionFacts; forked?: string };

/** Opens the thread of a session that was looked for. */
export const openThread = (
  deps: OpeningDeps,
  state: Connection,
  { request, facts: found, forked }: Found,
): WithInputs => {
  const { sessionId } = request.params;
  const facts = { ...found, settings: { ...found.settings, includePlanTool: true } }; // clients show plans
  if (facts.needsLogin) return toStep(state, refuse(request, NO_LOGIN));
  const session = typeof sessionId === 'string' ? sessionOf(state, sessionId) : undefined;
  if (session?.prompt !== undefined) return toStep(state, refuse(request, BUSY));
  const id = forked ?? sessionId;
  const begin =
    typeof id === 'string' ? { thread: { id }, lasting: facts.settings } : { thread: { start: facts.settings } };
  return { ...toStep(state), inputs: [toBegin('open', deps.newCallId(), { request, facts, ...begin })] };
};

/** The error of a request that must wait for the end of a prompt. */
export const BUSY = {
  code: INVALID_REQUEST,
  message: 'Invalid Request: a prompt of this session is running; cancel it first',
};

/** The error of a session that does not exist, or is not open. */
export const notFound = (sessionId: string) => ({
  code: NOT_FOUND,
  message: toSentence(`Session not found: ${sessionId}`),
  data: { uri: sessionId.slice(0, 200) },
});

/** The session of this id. Throws RpcError if it is not open. */
export const opened = (state: Connection, sessionId: string): Session => {
  const session = sessionOf(state, sessionId);
  if (session !== undefined && !session.isClosing) return session;
  const { code, message, data } = notFound(sessionId);
  throw new RpcError(code, message, data);
};

type Begun = AcpCaller & { thread: ThreadRef; lasting?: TurnSettings };

/** The input that begins an operation on a thread. */
export const toBegin = (
  kind: 'open' | 'close',
  callId: string,
  { thread, lasting, ...caller }: Begun,
): Extract<CallInput<AcpCaller>, { kind: 'begin' }> => ({
  kind: 'begin',
  call: { callId, requestId: caller.request.id, asksBy: 'request', caller },
  op: { kind, callId, eventId: '', thread, askable: true, ...(lasting && { lasting }) },
});

/** What becomes of a request that opens or closes a thread. */
export const receiveOpening = (state: Connection, { call, ...output }: CallOutput<AcpCaller>): AcpStep => {
  const { request, facts, sessionId } = call.caller;
  if (output.kind !== 'cancelled' && output.kind !== 'finished') return toStep(state);
  if (sessionId !== undefined) return closed(state, sessionId, { request, isCancelled: output.kind === 'cancelled' });
  if (output.kind === 'cancelled' || facts === undefined) return toStep(state, refuse(request, CANCELLED));
  const { outcome } = output;
  return outcome.kind === 'done'
    ? begun(state, { request, facts, id: outcome.threadId })
    : toStep(state, refuse(request, toFault(outcome)));
};

const toFault = (outcome: Outcome) => {
  const message = 'message' in outcome ? outcome.message : 'cause' in outcome ? outcome.cause : 'It was stopped';
  return { code: INTERNAL_ERROR, message: toSentence(message) };
};

type Begin = { request: Request; facts: SessionFacts; id: string };

/** The session of a stored thread begins when its past has been replayed. */
const begun = (state: Connection, { request, facts: { rollout, ...rest }, id }: Begin): AcpStep => {
  const facts = { ...rest, rollout: [] };
  const isStored = request.method !== 'session/new';
  const session: Session = {
    id,
    facts,
    choices: firstChoices(facts),
    view: newView(facts.cwd, id),
    asked: new Map(),
    rejected: [],
    isStored,
    isTitled: false,
  };
  return isStored
    ? beginJob(state, request, { session, past: { view: session.view, lines: rollout } })
    : startSession(state, request, session);
};

/** The step that answers the request of a session. Its client gets the commands after the response, when it knows the id. */
export const startSession = (state: Connection, request: Request, session: Session): AcpStep => {
  const { id, facts, choices } = session;
  if (sessionOf(state, id)?.prompt !== undefined) return toStep(state, refuse(request, BUSY));
  const config = { modes: toModes(facts, choices), configOptions: toOptions(facts, choices) };
  const commands = toUpdate(id, {
    sessionUpdate: 'available_commands_update',
    availableCommands: toCommands(facts),
  });
  const result = MAKES_ID.includes(request.method) ? { sessionId: id, ...config } : config;
  return toStep(
    putSession(state, session),
    respond(request, result),
    ...(request.method === 'session/fork' ? [{ kind: 'soon', message: commands } as const] : [commands]),
  );
};

const MAKES_ID: readonly string[] = ['session/new', 'session/fork'];

type Closed = { request: Request; isCancelled: boolean };

/**
 * The session ends, whatever the outcome: its thread is closed, or was released before. A session that is deleted or archived is so now. Nobody waits for
 * a request that was cancelled, but the thread closes all the same.
 */
const closed = (state: Connection, sessionId: string, { request, isCancelled }: Closed): AcpStep => {
  const session = sessionOf(state, sessionId);
  const ended = session?.prompt === undefined ? toStep(state) : finishPrompt(state, session, undefined);
  const rest = dropSession(ended.state, sessionId);
  if (isCancelled) return joinSteps(ended, toStep(rest, refuse(request, CANCELLED)));
  const next = request.method === 'session/close' ? toStep(rest, respond(request, {})) : beginJob(rest, request);
  return joinSteps(ended, next);
};

/** `session/set_mode`. */
export const setMode: Method = (_, state, request) => {
  const { sessionId, modeId } = checkParams(SetModeParams(), request.params);
  const session = chosen(opened(state, sessionId), ['mode', modeId]);
  return toStep(putSession(state, session), respond(request, {}), toOptionUpdate(session));
};

/** `session/set_model`, which older clients call. */
export const setModel: Method = (_, state, request) => {
  const { sessionId, modelId } = checkParams(SetModelParams(), request.params);
  const [, model = modelId, effort] = /^([^[]+)\[([^\]]+)\]$/.exec(modelId) ?? [];
  const withModel = chosen(opened(state, sessionId), ['model', model]);
  const session = effort === undefined ? withModel : chosen(withModel, ['reasoning_effort', effort]);
  return toStep(putSession(state, session), respond(request, {}), toOptionUpdate(session));
};

const toOptionUpdate = ({ id, facts, choices }: Session) =>
  toUpdate(id, { sessionUpdate: 'config_option_update', configOptions: toOptions(facts, choices) });

/** `session/set_config_option`. */
export const setConfigOption: Method = (_, state, request) => {
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
  const [id, value] = choice.map((one) => clipName(wordOf(one)));
  const options = toOptions(session.facts, session.choices);
  const values = options.find((option) => option.id === choice[0])?.options.map((one) => one.value);
  throw new RpcError(
    INVALID_PARAMS,
    values === undefined
      ? `Invalid params: there is no option ${id}; there are ${options.map((option) => option.id).join(', ')}`
      : `Invalid params: ${id} has no value ${value}; it has ${clipName(values.join(', '))}`,
  );
};
