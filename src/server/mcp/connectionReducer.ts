/** The reducer of a connection: its calls, its conversations, and the numbers of submissions, which 0.28.0 gives to events as ids. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { Event } from '../../protocol/codex/events';
import { toUuid } from '../../protocol/codex/toUuid';
import type { Outgoing } from '../../protocol/jsonrpc/messages';
import { failureOutcome } from '../../protocol/rpc/failureOutcome';
import type { Reduced } from '../../streams/gather';
import { lazy } from '../../streams/lazy';
import { askedBy, type Calls, noCalls, questionsOf } from '../calls/calls';
import { emptyMap, getValue, type PersistentMap, withoutKey, withValue } from '../calls/persistentMap';
import { reduceCalls } from '../calls/reduceCalls';
import type { ConnectionReducer } from '../calls/runCalls';
import type { CallInput, CallOutput, EngineInput } from '../calls/step';
import type { CodexCaller, ConversationDeps, Conversations } from '../conversations/conversation';
import { formOf } from '../faces/toElicitation';
import { noTasks, reduceTasks, type TaskChange, type TaskDeps, type TaskInput, type Tasks } from '../tasks/reduceTasks';
import type { Caller } from './caller';
import type { CallCommand, ConversationCommand, TaskCommand } from './methods/method';
import { readAnswers, readResponse, readSampling } from './readAnswers';

type AnyCaller = Caller | CodexCaller;

type Connection = {
  calls: Calls<AnyCaller>;
  /** The calls that are tasks, or may become tasks. */
  tasks: Tasks<Caller>;
  /** Threads of the connection. */
  known: PersistentMap<true>;
  submissions: Submissions;
  /** Present from the first Codex method on. */
  conversations?: Conversations;
};

/** What changes the calls of a connection, from any face. */
export type ConnectionInput = CallCommand | ConversationCommand | TaskCommand;

/** An output of a call of MCP, a change of a task, or a message. */
export type ConnectionOutput = CallOutput<Caller> | TaskChange<Caller> | Outgoing;

export type ConnectionDeps = ConversationDeps &
  Parameters<typeof failureOutcome>[0] & { numbersReplies?: boolean; tasks: TaskDeps<Caller> };

type ReducedConnection = Reduced<Connection, ConnectionOutput> & { ops: readonly EngineInput[] };

/** `(state, input) => { state, output, ops }`; see `runCalls`. */
export const connectionReducer = (
  deps: ConnectionDeps,
): ConnectionReducer<Connection, ConnectionInput, ConnectionOutput> => ({
  initial: { calls: noCalls(), tasks: noTasks(), known: emptyMap(), submissions: noSubmissions() },
  reduce: (state, input) => {
    if (input.kind === 'conversation') return receiveRequest(deps, state, input);
    if (isOfTask(input)) return receiveTaskCommand(deps, state, input);
    return receiveInput(deps, state, withVerdicts(state.calls, input));
  },
  isEnded: ({ calls }) => calls.ended,
});

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
    const { id, batch } = request;
    return { state, output: [{ kind: 'response', id, batch, ...failureOutcome(deps)(error) }], ops: [] };
  }
};

const isOfTask = (input: { kind: string }): input is TaskCommand => input.kind.startsWith('task');

const receiveTaskCommand = (deps: ConnectionDeps, state: Connection, command: TaskCommand): ReducedConnection => {
  const step = receiveTask(deps, state, command);
  const confirmed = 'response' in command ? command.response : undefined;
  return confirmed === undefined ? step : { ...step, output: [confirmed, ...step.output] };
};

const receiveTask = (deps: ConnectionDeps, state: Connection, input: TaskInput<Caller>): ReducedConnection => {
  const { state: tasks, output, inputs } = reduceTasks(deps.tasks)(state.tasks, input);
  const first: ReducedConnection = { state: withPart(state, 'tasks', tasks), output, ops: [] };
  return inputs.reduce((step, one) => joinSteps(step, receiveInput(deps, step.state, one)), first);
};

const receiveInput = (
  deps: ConnectionDeps,
  state: Connection,
  given: CallInput<AnyCaller> | Event,
): ReducedConnection => {
  const { submissions, input } = countSubmission(deps, state.submissions, given);
  const { state: calls, output, ops } = reduceCalls(state.calls, input);
  const next = withPart(withPart(answered(state, input), 'submissions', submissions), 'calls', calls);
  const first: ReducedConnection = { state: next, output: [], ops };
  return output.reduce((step, one) => joinSteps(step, receiveOutput(deps, step.state, one)), first);
};

const answered = (state: Connection, input: CallInput<AnyCaller> | Event): Connection =>
  state.conversations !== undefined && input.kind === 'answered'
    ? withPart(state, 'conversations', codexRoom().receiveAnswer(state.conversations, input.question))
    : state;

/** The state with this part; the same object if it has not changed, as for most events. */
const withPart = <K extends keyof Connection>(state: Connection, part: K, value: Connection[K]): Connection =>
  value === state[part] ? state : { ...state, [part]: value };

const joinSteps = (first: ReducedConnection, { state, output, ops }: ReducedConnection): ReducedConnection => ({
  state,
  output: first.output.length === 0 ? output : [...first.output, ...output],
  ops: first.ops.length === 0 ? ops : [...first.ops, ...ops],
});

/** Outputs of MCP calls pass, or change their task, and go to the listeners of their thread. Outputs of Codex methods become messages. */
const receiveOutput = (deps: ConnectionDeps, before: Connection, output: CallOutput<AnyCaller>): ReducedConnection => {
  const state = withPart(withThread(before, output), 'submissions', noteQuestions(before.submissions, output));
  if (!isOfMcp(output)) return withConversations(deps, { state, output: [], ops: [] }, output);
  const own = output.call.asksBy === 'task' ? receiveTask(deps, state, output) : { state, output: [output], ops: [] };
  return withConversations(deps, own, output);
};

const withConversations = (
  deps: ConnectionDeps,
  own: ReducedConnection,
  output: CallOutput<AnyCaller>,
): ReducedConnection => {
  const { conversations } = own.state;
  if (conversations === undefined) return own;
  const { receiveOutput: receive, observeOutput } = codexRoom();
  const { messages, state: next } = isOfMcp(output)
    ? observeOutput(deps, conversations, output)
    : receive(deps, conversations, output as CallOutput<CodexCaller>);
  return joinSteps(own, { state: withPart(own.state, 'conversations', next), output: messages, ops: [] });
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

/** The input for the calls that a command or an event is. Answers to questions that are not open have no effect. */
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

type Submissions = {
  /** Number of submissions by thread id. */
  counts: PersistentMap<number>;
  /** Thread of each open question. */
  asked: PersistentMap<string>;
};

/** The state before the first submission. */
export const noSubmissions = (): Submissions => ({ counts: emptyMap(), asked: emptyMap() });

/** How many submissions a thread has had. */
export const submissionsOf = ({ counts }: Submissions, threadId: string): number => getValue(counts, threadId) ?? 0;

type Counted<C> = { submissions: Submissions; input: CallInput<C> | Event };

/** Counts replies, interrupts and answers. With `numbersReplies` the id of the events of a reply is its number. Source: Codex 0.28.0, WIRE 5.1. */
export const countSubmission = <C>(
  { numbersReplies }: { numbersReplies?: boolean },
  submissions: Submissions,
  input: CallInput<C> | Event,
): Counted<C> => {
  const threadId = threadOfInput(submissions, input);
  if (threadId === undefined) return { submissions, input };
  const count = submissionsOf(submissions, threadId);
  const asked = input.kind === 'answered' ? without(submissions.asked, [input.question]) : submissions.asked;
  const next = { counts: withValue(submissions.counts, threadId, count + 1), asked };
  return numbersReplies && input.kind === 'begin' && input.op.kind === 'turn'
    ? { submissions: next, input: { ...input, op: { ...input.op, eventId: String(count) } } }
    : { submissions: next, input };
};

const COUNTED: readonly string[] = ['turn', 'input', 'interruptThread'];

const threadOfInput = <C>({ asked }: Submissions, input: CallInput<C> | Event): string | undefined => {
  if (input.kind === 'answered') return getValue(asked, String(input.question));
  if (input.kind !== 'begin' || !COUNTED.includes(input.op.kind)) return undefined;
  return 'id' in input.op.thread ? toUuid(input.op.thread.id) : undefined;
};

/** Remembers which thread asks, until its question needs no answer. */
export const noteQuestions = <C>(submissions: Submissions, output: CallOutput<C>): Submissions => {
  if (output.kind === 'question') {
    const { threadId } = output.event;
    return { ...submissions, asked: withValue(submissions.asked, String(output.question), threadId) };
  }
  if (output.kind !== 'withdrawn') return submissions;
  return { ...submissions, asked: without(submissions.asked, output.questions) };
};

const without = (asked: Submissions['asked'], questions: readonly number[]): Submissions['asked'] =>
  questions.map(String).reduce(withoutKey, asked);

/** The exports of `server/codex`. */
export const codexRoom = lazy(() => require('../codex/index') as typeof import('../codex/index'));
