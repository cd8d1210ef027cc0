/** The state of a turn, from its events, and the outcome of its call. */
import type { CodexEvent, Event } from '../../protocol/codex/events';
import type { ThreadRef } from '../../protocol/codex/operations';
import { toUuid } from '../../protocol/codex/toUuid';
import type { RpcErrorObject } from '../../protocol/jsonrpc/messages';
import { stepText } from './stepText';
import { addWork, NO_WORK, type Work } from './work';

/** The state of a turn. */
export type Turn = {
  /** Absent until the thread is known. */
  threadId?: string;
  /** Open questions by id, each as the event that asks it. */
  questions: ReadonlyMap<number, CodexEvent>;
  /** Actions that were declined. */
  notDone: readonly SkippedAction[];
  /** The last error that the engine reported. */
  error?: string;
  /** The JSON-RPC error that answers the request, if that error is one. */
  rpcError?: RpcErrorObject;
  /** What it has used up, if that error is a bound. */
  bound?: CodexEvent['bound'];
  /** Id of the open request to the model of the client, or about a file of its editor. */
  sampling?: number;
  /** Ids of the open requests about terminals of the client; absent before the first. */
  terminals?: readonly number[];
  /** True if its request has waited long enough, and is answered once the thread is known. */
  isDue?: true;
  /** How often the request was answered with questions. */
  rounds?: number;
  /** What it has done; absent if that is nothing. */
  work?: Work;
  /** Its last steps in words, oldest first; absent before the first. */
  steps?: readonly string[];
  /** When its call began, by the clock of the protocol face; absent if the face did not say. */
  beganMs?: number;
};

/** Ids of all questions that the client has not answered. */
export const openQuestions = ({ questions, sampling, terminals = [] }: Turn): number[] => [
  ...questions.keys(),
  ...(sampling === undefined ? [] : [sampling]),
  ...terminals,
];

/** True if the client was asked this question and has not answered. */
export const isAsking = (turn: Turn, question: number): boolean => openQuestions(turn).includes(question);

/** An action that was not taken, in words. The reason is absent if the client simply declined it. */
export type SkippedAction = { what: string; reason?: string };

/** A turn before its first event. */
export const newTurn: Turn = { questions: new Map(), notDone: [] };

/** A turn before its first event, on the thread that its call names; `newest` is the newest thread of the connection, if known. */
export const turnOn = (thread: ThreadRef, newest?: string): Turn => {
  if ('id' in thread) return { ...newTurn, threadId: toUuid(thread.id) };
  return 'newest' in thread && newest !== undefined ? { ...newTurn, threadId: newest } : newTurn;
};

/** The turn after this event; the same object if nothing has changed, as for most events. */
export const advanceTurn = (turn: Turn, event: Event): Turn => {
  switch (event.kind) {
    case 'rejected':
    case 'done':
    case 'joined':
      return turn;
    case 'declined': {
      const notDone = [...turn.notDone, { what: event.what, reason: event.reason }];
      return { ...turn, notDone, questions: withoutQuestion(turn.questions, event.question) };
    }
    case 'withdrawn':
      return closeQuestions(turn, [event.question]);
    case 'sampling':
    case 'file':
      return { ...withThread(turn, event.threadId), sampling: event.question };
    case 'terminal': {
      const { terminals = [] } = turn;
      return { ...withThread(turn, event.threadId), terminals: [...terminals, event.question] };
    }
    case 'deltas':
      return withThread(turn, event.threadId);
    case 'event':
      return advanceByMessage(turn, event);
  }
};

const withThread = (turn: Turn, threadId: string): Turn => (turn.threadId === threadId ? turn : { ...turn, threadId });

const advanceByMessage = (turn: Turn, event: CodexEvent): Turn => {
  const { threadId, question, msg, rpcError, bound } = event;
  let next = withWork(withThread(turn, threadId), msg);
  if (msg.type === 'error')
    next = { ...next, error: msg.message, ...(rpcError && { rpcError }), ...(bound && { bound }) };
  if (question !== undefined) next = { ...next, questions: new Map(next.questions).set(question, event) };
  return next;
};

const withWork = (turn: Turn, msg: CodexEvent['msg']): Turn => {
  const { work = NO_WORK } = turn;
  const next = addWork(work, msg);
  const step = stepText(msg);
  if (next === work && step === undefined) return turn;
  const { steps = [] } = turn;
  return {
    ...turn,
    ...(next !== work && { work: next }),
    ...(step !== undefined && { steps: [...steps, step].slice(-MAX_STEPS) }),
  };
};

/** How many of its last steps a turn remembers. */
const MAX_STEPS = 20;

/** The turn without these questions; the same object if none was open. */
export const closeQuestions = (turn: Turn, questions: Iterable<number>): Turn => {
  let open = turn.questions;
  let { sampling, terminals } = turn;
  for (const question of questions) {
    open = withoutQuestion(open, question);
    if (question === sampling) sampling = undefined;
    if (terminals?.includes(question)) terminals = terminals.filter((one) => one !== question);
  }
  const isSame = open === turn.questions && sampling === turn.sampling && terminals === turn.terminals;
  return isSame ? turn : { ...turn, questions: open, sampling, ...(terminals && { terminals }) };
};

const withoutQuestion = (questions: Turn['questions'], question: number | undefined): Turn['questions'] => {
  if (question === undefined || !questions.has(question)) return questions;
  const rest = new Map(questions);
  rest.delete(question);
  return rest;
};

/** The event that ends a call. */
export type LastEvent = CodexEvent | Extract<Event, { kind: 'rejected' | 'done' | 'joined' }>;

/** What a call did until it ended. */
export type Done = Pick<Turn, 'notDone' | 'work' | 'beganMs'>;

/** How a call ended. */
export type Outcome =
  /** `text`: the last message of the agent. */
  | ({ kind: 'completed'; threadId: string; text: string } & Done)
  /** `message`: the error of the engine; `rpcError`: the JSON-RPC error that answers the request instead of a result; `bound`: what the turn has used up. */
  | ({
      kind: 'failed';
      threadId: string;
      message: string;
      rpcError?: RpcErrorObject;
      bound?: CodexEvent['bound'];
    } & Done)
  /** By its caller, or at a question. */
  | ({ kind: 'aborted'; threadId: string } & Done)
  /** By the end of the connection; `threadId` is absent if no thread was begun. */
  | ({ kind: 'stopped'; threadId?: string; cause: string } & Done)
  /** An operation that is no turn. */
  | { kind: 'done'; threadId: string }
  /** The model got the input in the turn of another call. */
  | { kind: 'joined'; threadId: string }
  /** Before there was a turn. */
  | { kind: 'rejected'; message: string };

/** What a turn has done. */
export const doneOf = ({ notDone, work, beganMs }: Turn): Done => ({
  notDone,
  ...(work && { work }),
  ...(beganMs !== undefined && { beganMs }),
});

/** The outcome of a turn with this last event. */
export const outcomeOf = (turn: Turn, last: LastEvent): Outcome => {
  if (last.kind === 'rejected') return { kind: 'rejected', message: last.message };
  if (last.kind === 'done' || last.kind === 'joined') return { kind: last.kind, threadId: last.threadId };
  const { threadId, msg } = last;
  const done = doneOf(turn);
  const { error: message, rpcError, bound } = turn;
  const fault = { ...(rpcError && { rpcError }), ...(bound && { bound }) };
  if (message !== undefined) return { kind: 'failed', threadId, message, ...fault, ...done };
  if (msg.type === 'turn_aborted') return { kind: 'aborted', threadId, ...done };
  const text = (msg.type === 'task_complete' && msg.last_agent_message) || '';
  return { kind: 'completed', threadId, text, ...done };
};
