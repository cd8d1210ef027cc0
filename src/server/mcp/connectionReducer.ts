/** The reducer of a connection: its calls, whatever face began them, and the conversations of the Codex methods. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { Event } from '../../protocol/codex/events';
import type { Outgoing, Request } from '../../protocol/jsonrpc/messages';
import { failureOutcome } from '../../protocol/rpc/failureOutcome';
import type { Reduced } from '../../streams/gather';
import type { Calls } from '../calls/call';
import { askedBy, noCalls, questionsOf } from '../calls/openCalls';
import { emptyMap, getValue, type PersistentMap, withValue } from '../calls/persistentMap';
import { reduceCalls } from '../calls/reduceCalls';
import type { ConnectionReducer } from '../calls/runCalls';
import type { CallInput, CallOutput, EngineInput } from '../calls/step';
import type { CodexCaller, ConversationDeps, Conversations } from '../conversations/conversation';
import { formOf } from '../faces/toElicitation';
import type { Caller } from './caller';
import { codexRoom } from './codexRoom';
import type { CallCommand, ConversationCommand } from './command';
import { readAnswers } from './questions/inputRequests';
import { readResponse, readSampling } from './questions/readAnswer';
import { countSubmission, noSubmissions, noteQuestions, type Submissions, submissionsOf } from './submissions';

type AnyCaller = Caller | CodexCaller;

/** `known` are the threads of the connection; `conversations` is there from the first Codex method on. */
export type Connection = {
  calls: Calls<AnyCaller>;
  known: PersistentMap<true>;
  submissions: Submissions;
  conversations?: Conversations;
};

/** What changes the calls of a connection, whichever face it came by. */
export type ConnectionInput = CallCommand | ConversationCommand;

/** An output of a call of MCP, or a message of a Codex method. */
export type ConnectionOutput = CallOutput<Caller> | Outgoing;

export type ConnectionDeps = ConversationDeps & Parameters<typeof failureOutcome>[0] & { numbersReplies: boolean };

type ReducedConnection = Reduced<Connection, ConnectionOutput> & { ops: readonly EngineInput[] };

/** `(state, input) => { state, output, ops }`; see `runCalls`. */
export const connectionReducer = (
  deps: ConnectionDeps,
): ConnectionReducer<Connection, ConnectionInput, ConnectionOutput> => ({
  initial: { calls: noCalls(), known: emptyMap(), submissions: noSubmissions() },
  reduce: (state, input) => {
    if (input.kind === 'conversation') return receiveRequest(deps, state, input);
    return receiveInput(deps, state, withVerdicts(state.calls, input));
  },
  isEnded: ({ calls }) => calls.ended,
});

/** A fault of the client becomes the error of its response. */
const receiveRequest = (
  deps: ConnectionDeps,
  state: Connection,
  { request, stored }: ConversationCommand,
): ReducedConnection => {
  const about = {
    isKnown: (threadId: string) => getValue(state.known, threadId) === true,
    submissionsOf: (threadId: string) => submissionsOf(state.submissions, threadId),
  };
  try {
    const { receiveRequest: receive, noConversations } = codexRoom();
    const conversations = state.conversations ?? noConversations();
    const { inputs, messages, state: next } = receive({ ...deps, ...about, stored }, conversations, request);
    const first: ReducedConnection = { state: { ...state, conversations: next }, output: messages, ops: [] };
    return inputs.reduce((step, input) => joinSteps(step, receiveInput(deps, step.state, input)), first);
  } catch (error) {
    return { state, output: [toFault(deps, request, error)], ops: [] };
  }
};

const toFault = (deps: ConnectionDeps, { id, batch }: Request, error: unknown): Outgoing => ({
  kind: 'response',
  id,
  batch,
  ...failureOutcome(deps)(error),
});

const receiveInput = (
  deps: ConnectionDeps,
  state: Connection,
  given: CallInput<AnyCaller> | Event,
): ReducedConnection => {
  const { submissions, input } = countSubmission(deps, state.submissions, given);
  const { state: calls, output, ops } = reduceCalls(state.calls, input);
  const next = withCalls(withSubmissions(answered(state, input), submissions), calls);
  const first: ReducedConnection = { state: next, output: [], ops };
  return output.reduce((step, one) => joinSteps(step, receiveOutput(deps, step.state, one)), first);
};

const answered = (state: Connection, input: CallInput<AnyCaller> | Event): Connection =>
  state.conversations !== undefined && input.kind === 'answered'
    ? withConversations(state, codexRoom().receiveAnswer(state.conversations, input.question))
    : state;

// Each of these returns the same object where nothing has changed, as for most events.
const withCalls = (state: Connection, calls: Connection['calls']): Connection =>
  calls === state.calls ? state : { ...state, calls };

const withSubmissions = (state: Connection, submissions: Submissions): Connection =>
  submissions === state.submissions ? state : { ...state, submissions };

const withConversations = (state: Connection, conversations: Conversations): Connection =>
  conversations === state.conversations ? state : { ...state, conversations };

const joinSteps = (first: ReducedConnection, { state, output, ops }: ReducedConnection): ReducedConnection => ({
  state,
  output: first.output.length === 0 ? output : [...first.output, ...output],
  ops: first.ops.length === 0 ? ops : [...first.ops, ...ops],
});

/** Outputs of MCP calls pass, and go to the listeners of their thread; those of Codex methods become messages. */
const receiveOutput = (deps: ConnectionDeps, before: Connection, output: CallOutput<AnyCaller>): ReducedConnection => {
  const state = withSubmissions(withThread(before, output), noteQuestions(before.submissions, output));
  const { conversations } = state;
  const own = isOfMcp(output) ? [output] : [];
  if (conversations === undefined) return { state, output: own, ops: [] };
  const { receiveOutput: receive, observeOutput } = codexRoom();
  const { messages, state: next } = isOfMcp(output)
    ? observeOutput(deps, conversations, output)
    : receive(deps, conversations, output as CallOutput<CodexCaller>);
  return { state: withConversations(state, next), output: [...own, ...messages], ops: [] };
};

const isOfMcp = (output: CallOutput<AnyCaller>): output is CallOutput<Caller> =>
  output.call.caller.method === 'tools/call';

/** A thread is known from its first event on, or once it was opened. */
const withThread = (state: Connection, output: CallOutput<AnyCaller>): Connection => {
  const threadId = threadOf(output);
  return threadId === undefined || getValue(state.known, threadId)
    ? state
    : { ...state, known: withValue(state.known, threadId, true) };
};

const threadOf = (output: CallOutput<AnyCaller>): string | undefined => {
  if (output.kind === 'event') return BEGINS.includes(output.event.msg.type) ? output.event.threadId : undefined;
  return output.kind === 'finished' && output.outcome.kind === 'done' ? output.outcome.threadId : undefined;
};

const BEGINS: readonly EventMsg['type'][] = ['session_configured', 'task_started'];

/** What a client sent, or an event, as the input that it is for the calls. Answers to questions that are not open mean nothing. */
export const withVerdicts = (calls: Calls<unknown>, input: CallCommand | Event): CallInput<Caller> => {
  switch (input.kind) {
    case 'answered': {
      const { question, response } = input;
      const msg = askedBy(calls, question)?.msg;
      const verdict = msg === undefined ? readSampling(response) : readResponse(formOf(msg), response);
      return { kind: 'answered', question, verdict };
    }
    case 'resume': {
      const { call, responses, asked } = input;
      const { verdicts, misread } = readAnswers(questionsOf(calls, call.callId), responses, asked);
      return { kind: 'resume', call: { ...call, caller: { ...call.caller, misread } }, verdicts };
    }
    default:
      return input;
  }
};
