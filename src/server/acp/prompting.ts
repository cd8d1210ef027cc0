/** A prompt of a session: its turn as updates, its questions as requests, its end as the response. */
import { CANCEL_REQUEST } from '../../protocol/acp/acp';
import type { ReviewResult } from '../../protocol/codex/engine';
import type { CodexEvent, FileEvent } from '../../protocol/codex/events';
import { toObject } from '../../protocol/jsonrpc/json';
import { INTERNAL_ERROR, type Outgoing, type Response } from '../../protocol/jsonrpc/messages';
import type { CallOutput } from '../calls/step';
import type { Outcome } from '../calls/turn';
import { formOf, toElicitation } from '../faces/toElicitation';
import { readResponse } from '../mcp/readAnswers';
import { callOf, readPermission, subjectOf, toAskedTool, toPermissionRequest } from './permission';
import {
  type AcpCaller,
  type AcpStep,
  CANCELLED,
  type Connection,
  joinSteps,
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
import { answerSteering, continued, failSteering } from './steering';
import { announceTool, endTurn, type Shown, type TurnView, toolIdOf, updateTool } from './toolView';
import { showDeltas, showEvent, showText } from './turnView';

/** What an output of the call of a prompt leads to. Nothing, if its session was closed in the meantime. */
export const receivePrompt = (state: Connection, output: CallOutput<AcpCaller>): WithInputs => {
  const session = sessionOf(state, output.call.caller.sessionId);
  if (session === undefined) return toStep(state);
  switch (output.kind) {
    case 'event':
      return show(state, session, eventView(session.view, output.event));
    case 'deltas':
      return show(state, session, showDeltas(session.view, output.event.msgs));
    case 'question':
      return ask(state, session, output);
    case 'client':
      return output.event.kind === 'file' ? askFile(state, session, output.event) : toStep(state);
    case 'withdrawn':
      return withdraw(state, session, output.questions);
    case 'finished':
      return session.prompt?.callId === output.call.callId
        ? endTurnOf(state, session, output.outcome)
        : answerSteering(state, session, output);
    case 'cancelled':
      return answerSteering(state, session, output);
    default:
      return toStep(state);
  }
};

const show = (state: Connection, session: Session, { state: view, output }: Shown): AcpStep =>
  toStep(putSession(state, { ...session, view }), ...output.map((update) => toUpdate(session.id, update)));

/** A question of a server is about no call that the client knows. */
const eventView = (view: TurnView, event: CodexEvent): Shown =>
  event.question !== undefined && event.msg.type === 'elicitation_request'
    ? announceTool(view, callOf(event, event.question), toAskedTool(event, view.cwd))
    : showEvent(view, event.msg);

type Question = Extract<CallOutput<AcpCaller>, { kind: 'question' }>;

/** What was rejected for the session is rejected without a question, and so is a form that the client cannot show. */
const ask = (state: Connection, session: Session, { question, event }: Question): WithInputs => {
  const callId = callOf(event, question);
  const subject = subjectOf(event);
  const form = formOf(event.msg);
  if (form !== undefined && !state.client.forms) return decline(state, session, { question, callId, reason: NO_FORMS });
  if (session.rejected.includes(subject)) return decline(state, session, { question, callId, reason: REJECTED });
  const request = form === undefined ? toPermission(session, callId, event) : toForm(session, callId, event);
  const offered = 'options' in request.params ? request.params.options.map(({ optionId }) => optionId) : undefined;
  const asked = new Map(session.asked).set(question, { callId, subject, offered, event });
  return toStep(putSession(state, { ...session, asked }), { ...request, id: question });
};

const NO_FORMS = 'the client shows no forms';
const REJECTED = 'the user rejects this for as long as the session is open';

type Declined = { question: number; callId: string; reason: string };

const decline = (state: Connection, session: Session, { question, callId, reason }: Declined): WithInputs => ({
  ...show(state, session, updateTool(session.view, callId, { status: 'failed' })),
  inputs: [{ kind: 'answered', question, verdict: { decision: 'denied', reason } }],
});

const toPermission = ({ id: sessionId, view }: Session, callId: string, event: CodexEvent) => {
  const params = toPermissionRequest({ sessionId, toolCallId: toolIdOf(view, callId), event, cwd: view.cwd });
  return { kind: 'request', method: 'session/request_permission', params } as const;
};

const toForm = ({ id: sessionId, view }: Session, callId: string, event: CodexEvent) => {
  const { message, requestedSchema } = toElicitation({ capabilities: {} }, event);
  const params = { mode: 'form', sessionId, toolCallId: toolIdOf(view, callId), message, requestedSchema };
  return { kind: 'request', method: 'elicitation/create', params } as const;
};

/** Asks for a file as the editor shows it. One is asked for at a time. */
const askFile = (state: Connection, session: Session, { question, request }: FileEvent): AcpStep => {
  const { path } = request;
  const sessionId = session.id;
  return toStep(putSession(state, { ...session, file: { question, request } }), {
    kind: 'request',
    id: question,
    ...(request.act === 'read'
      ? { method: 'fs/read_text_file', params: { sessionId, path } }
      : { method: 'fs/write_text_file', params: { sessionId, path, content: request.text } }),
  });
};

/** The step of an answer about a file: its text, or why there is none. */
export const answerFile = (
  state: Connection,
  { file, ...session }: Session,
  response: Response,
): AcpStep & { verdict: ReviewResult } => {
  const step = toStep(putSession(state, session));
  const denied = (reason: string) => ({ ...step, verdict: { decision: 'denied', reason } as const });
  if ('error' in response) return denied(`error ${response.error.code}: ${toSentence(response.error.message)}`);
  const { content } = toObject('result' in response ? response.result : undefined);
  const text = file?.request.act === 'write' ? file.request.text : content;
  return typeof text === 'string'
    ? { ...step, verdict: { decision: 'approved', file: text } }
    : denied('the answer of the client has no text');
};

type Answer = { question: number; response: Response };

/** The step of an answer, and its verdict. A call that was rejected has failed; a call that was allowed begins by itself. */
export const answerPermission = (
  state: Connection,
  session: Session,
  { question, response }: Answer,
): AcpStep & { verdict: ReviewResult } => {
  const known = session.asked.get(question);
  const asked = new Map([...session.asked].filter(([one]) => one !== question));
  if (known === undefined) return { ...toStep(state), verdict: { decision: 'denied' } };
  const { verdict, isLasting } =
    known.offered === undefined
      ? { verdict: readResponse(formOf(known.event.msg), response), isLasting: false }
      : readPermission(response, { offered: known.offered });
  const rejected = isLasting ? [...session.rejected, known.subject] : session.rejected;
  const isYes = verdict.decision.startsWith('approved');
  const isOver = !isYes || known.event.msg.type === 'elicitation_request';
  const status = isYes ? 'completed' : 'failed';
  const view = isOver ? updateTool(session.view, known.callId, { status }) : { state: session.view, output: [] };
  return { ...show(state, { ...session, asked, rejected }, view), verdict };
};

/** The client of a cancelled prompt ends its open questions by itself; any other question is withdrawn. */
const withdraw = (state: Connection, session: Session, questions: readonly number[]): AcpStep =>
  questions.reduce((step, question) => {
    const { file, ...rest } = sessionOf(step.state, session.id) ?? session;
    if (file?.question === question) return joinSteps(step, toStep(putSession(step.state, rest), toCancel(question)));
    const current = { ...rest, ...(file && { file }) };
    const known = current.asked.get(question);
    if (known === undefined) return step;
    const asked = new Map([...current.asked].filter(([one]) => one !== question));
    const failed = show(
      step.state,
      { ...current, asked },
      updateTool(current.view, known.callId, { status: 'failed' }),
    );
    return joinSteps(step, {
      ...failed,
      output: current.prompt?.stop === 'session' ? failed.output : [...failed.output, toCancel(question)],
    });
  }, toStep(state));

const toCancel = (requestId: number): Outgoing => ({
  kind: 'notification',
  method: CANCEL_REQUEST,
  params: { requestId },
});

/** Its outcome answers the prompt, unless the client has sent more input for it in the meantime. */
const endTurnOf = (state: Connection, session: Session, outcome: Outcome): WithInputs => {
  const next = GOES_ON.includes(outcome.kind) ? continued(session) : undefined;
  if (next === undefined) return finishPrompt(state, session, outcome);
  const shown = show(state, next.session, endTurn(session.view));
  const inputs = [{ kind: 'detach', callId: next.callId } as const]; // its request is answered, so that cancelling it changes nothing
  return { ...joinSteps(shown, toStep(shown.state, next.answer)), inputs };
};

const GOES_ON: readonly Outcome['kind'][] = ['completed', 'failed', 'done'];

/** Answers the prompt of a session once its turn is over. @param outcome undefined for a prompt that was cancelled */
export const finishPrompt = (state: Connection, session: Session, outcome: Outcome | undefined): AcpStep => {
  const { prompt, ...rest } = session;
  if (prompt === undefined) return toStep(state);
  const ended = endTurn(session.view);
  const bound = boundOf(outcome);
  const closing = bound ? showText(ended.state, 'agent_message_chunk', bound.message) : { ...ended, output: [] };
  const output = [...ended.output, ...closing.output];
  const shown = show(state, { ...rest, asked: new Map() }, { state: closing.state, output });
  return joinSteps(shown, toStep(shown.state, ...failSteering(prompt), toAnswer(prompt, outcome)));
};

/** The outcome of a turn that a bound of the configuration has ended: its text says what to do, and it is no failure. */
const boundOf = (outcome: Outcome | undefined) =>
  outcome?.kind === 'failed' && outcome.bound ? { ...outcome, bound: outcome.bound } : undefined;

const STOP_REASONS = { tokens: 'max_tokens', requests: 'max_turn_requests' } as const;

const toAnswer = ({ request, stop }: NonNullable<Session['prompt']>, outcome: Outcome | undefined): Outgoing => {
  if (stop === 'request') return refuse(request, CANCELLED);
  const bound = stop === undefined ? boundOf(outcome)?.bound : undefined;
  if (bound !== undefined) return respond(request, { stopReason: STOP_REASONS[bound] });
  switch (stop === undefined ? outcome?.kind : undefined) {
    case 'completed':
    case 'done':
    case 'joined':
      return respond(request, { stopReason: 'end_turn' });
    case 'failed':
    case 'rejected':
      return refuse(request, toFault(outcome as Extract<Outcome, { message: string }>));
    default:
      return respond(request, { stopReason: 'cancelled' });
  }
};

/** The whole text is in the data, for a client that shows it. */
const toFault = ({ message }: { message: string }) => {
  const short = toSentence(message);
  return { code: INTERNAL_ERROR, message: short, ...(short !== message && { data: { details: message } }) };
};
