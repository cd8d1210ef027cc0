/** The reducer of a turn: turns the actions of its server, its caller and its clocks into events and messages to the server. */
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import type { CodexEvent, Event } from '../../../protocol/codex/events';
import type { ThreadOp } from '../../../protocol/codex/operations';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import type { Notification, Request, RequestId } from '../../../protocol/jsonrpc/messages';
import type { Reduced } from '../../../streams/gather';
import { type ApprovalDecision, declinedEvents, isApproved } from '../../turns/approval';
import { closingEventsOf, type TurnEnd, type TurnStop, turnEvent } from '../../turns/turnEvents';
import { declinedResult, toQuestion } from '../items/questions';
import { announceItem, closeItems } from './reduceItem';
import { reduceNotification } from './reduceNotification';
import { type ForeignRequest, type ServerEnd, type TurnBegun, turnEndOf } from './turnMessages';
import { initialTurn, isRunning, type ReducedTurn, type TurnState, withEntry } from './turnState';

export type TurnInput =
  | TurnBegun
  | ForeignRequest
  | Notification
  | Request
  /** The client was sent the question of a request, under the id `question`. */
  | { kind: 'asked'; request: Request; question: number }
  /** The question was answered. */
  | { kind: 'decided'; request: Request; decision: ApprovalDecision }
  /** The server no longer needs an answer. */
  | { kind: 'withdrawn'; request: Request; question: number }
  /** The turn is being stopped from this side. */
  | { kind: 'stopping'; stop: TurnStop }
  /** The turn is over. */
  | { kind: 'ended'; end: ServerEnd | TurnEnd };

/** Events for the caller, and messages to the server. */
export type TurnOutput =
  | Event
  /** Answers a request of the server. */
  | { kind: 'respond'; id: RequestId; result: JsonObject }
  /** Ends the commands that outlive the turn. */
  | { kind: 'endCommands' };

/** The state before the first input. */
export const BEFORE_TURN: Reduced<TurnState, TurnOutput> = { state: initialTurn, output: [] };

export type TurnContext = { op: ThreadOp; threadId: string };

/** The state of a turn after an input, and what follows from it. After the last event of the turn, inputs no longer matter. */
export const reduceTurn =
  (context: TurnContext) =>
  (state: TurnState, input: TurnInput): Reduced<TurnState, TurnOutput> => {
    switch (input.kind) {
      case 'begun':
        return { state: { ...state, turnId: input.turnId }, output: [] };
      case 'notification':
        return onNotification(context, state, input);
      case 'request':
        return { state: withQuestion(state, input), output: [] };
      case 'foreign':
        return { state, output: [toResponse(input.request, declinedResult(input.request))] };
      case 'asked':
        return { state, output: [toAsked(context, state, input)] };
      case 'decided':
        return onDecision(context, state, input);
      case 'withdrawn': {
        const { subject: what } = questionOf(state, input.request);
        const { callId } = context.op;
        return { state, output: [{ kind: 'declined', callId, what, reason: WITHDRAWN, question: input.question }] };
      }
      case 'stopping':
        return { state: { ...state, stop: state.stop ?? input.stop }, output: [] };
      case 'ended':
        return close(context, state, input.end);
    }
  };

const toResponse = ({ id }: Request, result: JsonObject): TurnOutput => ({ kind: 'respond', id, result });

const WITHDRAWN = 'Codex withdrew the question';

const toEvent = ({ op, threadId }: TurnContext, { turnId }: TurnState, msg: EventMsg): CodexEvent =>
  turnEvent({ op, threadId, turnId }, msg);

const toReduced = (context: TurnContext, { state, output }: ReducedTurn): Reduced<TurnState, TurnOutput> => ({
  state,
  output: output.map((msg) => toEvent(context, state, msg)),
});

/** The end that the server announces counts at once, unless a command is still running or the server has yet to confirm it. */
const onNotification = (
  context: TurnContext,
  before: TurnState,
  notification: Notification,
): Reduced<TurnState, TurnOutput> => {
  const { state, output } = toReduced(context, reduceNotification(before, notification));
  const announced = turnEndOf(notification);
  if (!announced?.isConfirmed || (announced.end.kind === 'completed' && isRunning(state))) return { state, output };
  const closed = close(context, state, announced.end);
  return { ...closed, output: [...output, ...closed.output] };
};

const questionOf = (state: TurnState, request: Request) =>
  state.questions.get(request.id) ?? toQuestion(state, request);

const toAsked = (
  context: TurnContext,
  state: TurnState,
  { request, question }: Extract<TurnInput, { kind: 'asked' }>,
): TurnOutput => {
  const { msg, covers } = questionOf(state, request);
  return { ...toEvent(context, state, msg), question, ...(covers && { covers }) };
};

const withQuestion = (state: TurnState, request: Request): TurnState => {
  const question = toQuestion(state, request);
  const isPatch = question.msg.type === 'apply_patch_approval_request';
  return {
    ...state,
    questions: withEntry(state.questions, request.id, question),
    reviewed: isPatch ? new Set([...state.reviewed, question.itemId]) : state.reviewed,
  };
};

/** An approved item begins. Otherwise the caller gets a report, unless a person simply declined. */
const onDecision = (
  context: TurnContext,
  state: TurnState,
  { request, decision }: Extract<TurnInput, { kind: 'decided' }>,
): Reduced<TurnState, TurnOutput> => {
  const { question: _, ...review } = decision;
  const { subject, itemId, isForm, toResult } = questionOf(state, request);
  const answered = { ...state, questions: withEntry(state.questions, request.id, undefined) };
  const begun = toReduced(
    context,
    isApproved(decision) ? announceItem(answered, itemId) : { state: answered, output: [] },
  );
  const declined = isForm && decision.form ? [] : declinedEvents(context.op, subject, decision);
  return { state: begun.state, output: [toResponse(request, toResult(review)), ...begun.output, ...declined] };
};

/** Ends the open items, then the turn. A turn that was stopped from this side ends as stopped, whatever the server reports. */
const close = (
  context: TurnContext,
  state: TurnState,
  announced: ServerEnd | TurnEnd,
): Reduced<TurnState, TurnOutput> => {
  const end = state.stop ?? toTurnEnd(state, announced);
  const closed = closeItems(state);
  const outlived = end.kind !== 'finished' && isRunning(state) ? [{ kind: 'endCommands' as const }] : [];
  return {
    state: closed.state,
    output: [
      ...outlived,
      ...closed.output.map((msg) => toEvent(context, state, msg)),
      ...closingEventsOf({ ...context, turnId: state.turnId }, end),
    ],
  };
};

const toTurnEnd = ({ lastMessage }: TurnState, end: ServerEnd | TurnEnd): TurnEnd =>
  end.kind === 'completed' ? { kind: 'finished', message: lastMessage } : end;
