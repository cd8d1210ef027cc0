/** The reducer of a connection: its requests and answers, and the events of the agent, lead to messages, jobs and operations. */
import { CANCEL_REQUEST } from '../../protocol/acp/acp';
import { type Event, isLast } from '../../protocol/codex/events';
import { textOf } from '../../protocol/jsonrpc/json';
import {
  INTERNAL_ERROR,
  type Notification,
  type Request,
  type RequestId,
  type Response,
  type RpcErrorObject,
} from '../../protocol/jsonrpc/messages';
import type { SessionFacts } from '../../protocol/methods/host';
import { failureOutcome } from '../../protocol/rpc/failureOutcome';
import { callOf } from '../calls/calls';
import { valuesOf } from '../calls/persistentMap';
import { reduceCalls } from '../calls/reduceCalls';
import type { ConnectionReducer } from '../calls/runCalls';
import type { CallInput, CallOutput } from '../calls/step';
import { finishCommand } from './beginPrompt';
import { SET_TITLE } from './jobs';
import { gatewayIn, SET_PROVIDER } from './logins';
import { notFound, openThread, receiveOpening, startSession } from './opening';
import { answerFile, answerPermission, finishPrompt, receivePrompt } from './prompting';
import { receiveRequest } from './requests';
import {
  type AcpCaller,
  type AcpDeps,
  type AcpOutput,
  type AcpStep,
  CANCELLED,
  type Connection,
  joinSteps,
  newConnection,
  putSession,
  refuse,
  respond,
  sessionOf,
  toStep,
} from './session';
import { STEER } from './steering';
import { answerTerminal, followTerminals } from './terminals';
import type { Shown } from './toolView';
import { answerPage, endJob, showPage, showPast, withoutJobs } from './waiting';

/** What changes a connection, besides events of the agent. */
export type AcpInput =
  | Request
  | Notification
  | Response
  /** A job is done. Nothing waits for the job of a request that was cancelled. */
  | { kind: 'jobEnded'; key: string; result: unknown }
  | { kind: 'failed'; key: string; error: RpcErrorObject }
  /** A piece of the past of a session that begins when this job is done. */
  | { kind: 'past'; key: string; shown: Shown }
  /** A page that the person must open for a job. */
  | { kind: 'page'; key: string; url: string }
  /** The connection ends, for this reason. */
  | { kind: 'end'; cause: string };

/** `(state, input) => { state, output, ops }`; see `runCalls`. Every request is answered once. */
export const acpReducer = (deps: AcpDeps): ConnectionReducer<Connection, AcpInput, AcpOutput> => ({
  initial: newConnection,
  reduce: (state, input) => reduce(deps, state, input),
  isEnded: ({ calls }) => calls.ended,
});

const reduce = (deps: AcpDeps, state: Connection, input: AcpInput | Event): AcpStep => {
  switch (input.kind) {
    case 'request':
      return tried(deps, state, input);
    case 'notification':
      return receiveNotification(deps, state, input);
    case 'response':
      return receiveAnswer(deps, state, input);
    case 'jobEnded':
    case 'failed':
      return receiveJob(deps, state, input);
    case 'past':
      return showPast(state, input);
    case 'page':
      return showPage(state, input, deps.newQuestionId());
    case 'end':
      return end(deps, state, input.cause);
    default:
      return receiveEvent(deps, state, input);
  }
};

/** A fault of the client, and a bug, become the error of the response. */
const tried = (deps: AcpDeps, state: Connection, request: Request): AcpStep => {
  try {
    const { inputs = [], ...step } = receiveRequest(deps, state, request);
    return withInputs(deps, step, inputs);
  } catch (error) {
    return toStep(state, { kind: 'response', id: request.id, ...failureOutcome(deps)(error) });
  }
};

const withInputs = (deps: AcpDeps, step: AcpStep, inputs: readonly CallInput<AcpCaller>[]): AcpStep =>
  inputs.reduce((before, input) => joinSteps(before, receiveInput(deps, before.state, input)), step);

const receiveInput = (deps: AcpDeps, state: Connection, input: CallInput<AcpCaller>): AcpStep => {
  const { state: calls, output, ops } = reduceCalls(state.calls, input);
  const first = toStep({ ...state, calls });
  const step = output.reduce((before, one) => joinSteps(before, receiveOutput(deps, before.state, one)), first);
  return { ...step, ops: [...step.ops, ...ops] };
};

const receiveOutput = (deps: AcpDeps, state: Connection, output: CallOutput<AcpCaller>): AcpStep => {
  const { method } = output.call.caller.request;
  if (method !== 'session/prompt' && method !== STEER) return receiveOpening(state, output);
  const followed = followTerminals(deps, state, output);
  const { inputs = [], ...step } = receivePrompt(followed.state, output);
  return withInputs(deps, joinSteps(followed, step), inputs);
};

/** The turn of a cancelled prompt goes on until it has ended; then the prompt is answered. */
const receiveEvent = (deps: AcpDeps, state: Connection, event: Event): AcpStep => {
  const before = callOf(state.calls, event.callId);
  const step = receiveInput(deps, state, event);
  if (before?.phase !== 'cancelled' || !isLast(event)) return step;
  const session = sessionOf(step.state, before.call.caller.sessionId);
  return session?.prompt?.callId === event.callId
    ? joinSteps(step, finishPrompt(step.state, session, undefined))
    : step;
};

const receiveNotification = (deps: AcpDeps, state: Connection, { method, params }: Notification): AcpStep => {
  if (method === 'session/cancel') {
    const session = typeof params.sessionId === 'string' ? sessionOf(state, params.sessionId) : undefined;
    return session === undefined ? toStep(state) : stopPrompt(deps, state, { sessionId: session.id, stop: 'session' });
  }
  return method === CANCEL_REQUEST ? cancelRequest(deps, state, params.requestId) : toStep(state);
};

type Stop = { sessionId: string; stop: 'session' | 'request' };

/** The first cancel counts. */
const stopPrompt = (deps: AcpDeps, state: Connection, { sessionId, stop }: Stop): AcpStep => {
  const session = sessionOf(state, sessionId);
  if (session?.prompt === undefined || session.prompt.stop !== undefined) return toStep(state);
  const { callId, steered = [] } = session.prompt;
  const next = putSession(state, { ...session, prompt: { ...session.prompt, stop } });
  const stops = [...steered, { callId }].map((one) => ({ kind: 'stop', callId: one.callId }) as const);
  return withInputs(deps, toStep(next), stops);
};

/** Cancels whatever the request leads to: a prompt, a job, or an operation on a thread. */
const cancelRequest = (deps: AcpDeps, state: Connection, requestId: unknown): AcpStep => {
  const isMeant = ({ id }: Request): boolean => id === requestId;
  const prompts = valuesOf(state.sessions).filter(({ prompt }) => prompt && isMeant(prompt.request));
  const stopped = prompts.reduce(
    (step, { id }) => joinSteps(step, stopPrompt(deps, step.state, { sessionId: id, stop: 'request' })),
    withoutJobs(state, isMeant, CANCELLED),
  );
  if (prompts.length > 0 || !isId(requestId)) return stopped;
  return joinSteps(stopped, receiveInput(deps, stopped.state, { kind: 'cancel', requestId }));
};

const isId = (id: unknown): id is RequestId => ['string', 'number', 'bigint'].includes(typeof id);

type JobEnded = Extract<AcpInput, { kind: 'jobEnded' | 'failed' }>;

const receiveJob = (deps: AcpDeps, before: Connection, input: JobEnded): AcpStep => {
  const { state: ended, request, session, output } = endJob(before, input.key);
  if (request === undefined) return toStep(before);
  if (input.kind === 'failed') return toStep(ended, ...output, refuse(request, input.error));
  if (session !== undefined) return startSession(ended, request, session);
  const { method, params } = request;
  const state = LOGINS.includes(method) ? { ...ended, gateway: gatewayIn(request) } : ended;
  if (input.result === null) return toStep(state, ...output, refuse(request, notFound(textOf(params.sessionId))));
  if (method === 'session/prompt' || method === SET_TITLE)
    return finishCommand(deps, state, { request, result: input.result });
  if (!OPENS.includes(method)) return toStep(state, ...output, respond(request, input.result));
  const { inputs = [], ...step } = openThread(deps, state, { request, ...foundBy(method, input.result) });
  return withInputs(deps, step, inputs);
};

/** Another login takes the place of a gateway. */
const LOGINS: readonly string[] = ['authenticate', 'logout', SET_PROVIDER];

const OPENS: readonly string[] = ['session/new', 'session/load', 'session/resume', 'session/fork'];

const foundBy = (method: string, result: unknown): { facts: SessionFacts; forked?: string } => {
  const found = result as SessionFacts & { id: string; facts: SessionFacts };
  return method === 'session/fork' ? { facts: found.facts, forked: found.id } : { facts: found };
};

/** An answer counts once, for the question that it names. */
const receiveAnswer = (deps: AcpDeps, state: Connection, response: Response): AcpStep => {
  const { id: question, unread } = response;
  if (unread !== undefined) deps.log('warning', 'a response of the client was rejected', { reason: unread });
  if (typeof question !== 'number') return toStep(state);
  const terminal = answerTerminal(deps, state, { question, response });
  if (terminal !== undefined) {
    const { verdict, ...step } = terminal;
    return verdict ? joinSteps(step, receiveInput(deps, step.state, { kind: 'answered', question, verdict })) : step;
  }
  const session = valuesOf(state.sessions).find(
    ({ asked, file }) => asked.has(question) || file?.question === question,
  );
  if (session === undefined) return answerPage(state, question, response);
  const { verdict, ...step } = session.asked.has(question)
    ? answerPermission(state, session, { question, response })
    : answerFile(state, session, response);
  return joinSteps(step, receiveInput(deps, step.state, { kind: 'answered', question, verdict }));
};

/** All that waits is answered. A prompt whose turn is being stopped has no event any more. */
const end = (deps: AcpDeps, state: Connection, cause: string): AcpStep => {
  const step = receiveInput(deps, state, { kind: 'end', cause });
  const open = valuesOf(step.state.sessions).filter(({ prompt }) => prompt !== undefined);
  const finished = open.reduce(
    (before, session) => joinSteps(before, finishPrompt(before.state, session, undefined)),
    step,
  );
  return joinSteps(
    finished,
    withoutJobs(finished.state, () => true, { code: INTERNAL_ERROR, message: cause }),
  );
};
