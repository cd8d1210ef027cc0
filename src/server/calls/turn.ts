/** The state of a turn, from its events. */
import type { CodexEvent, Event } from '../../protocol/codex/events';
import type { ThreadRef } from '../../protocol/codex/operations';
import { toUuid } from '../../protocol/codex/toUuid';

/**
 * `questions` are the open ones by id, each as the event that asks it. `notDone` is what was declined, with the reason unless
 * the client simply declined it. `error` is the last one that the engine reported. `sampling` is the id under which the model of the client
 * was asked and has not answered. `rounds` is how often its request was answered with questions.
 */
export type Turn = {
  threadId?: string;
  questions: ReadonlyMap<number, CodexEvent>;
  notDone: readonly SkippedAction[];
  error?: string;
  sampling?: number;
  rounds?: number;
};

/** All that the client was asked and has not answered. */
export const openQuestions = ({ questions, sampling }: Turn): number[] => [
  ...questions.keys(),
  ...(sampling === undefined ? [] : [sampling]),
];

/** Whether the client was asked this and has not answered. */
export const isAsking = ({ questions, sampling }: Turn, question: number): boolean =>
  questions.has(question) || sampling === question;

/** An action that was not taken, in words. */
export type SkippedAction = { what: string; reason?: string };

/** A turn before its first event. */
export const newTurn: Turn = { questions: new Map(), notDone: [] };

/** A turn before its first event, on the thread that its call names; `newest` is the newest one of the connection, if it is known. */
export const turnOn = (thread: ThreadRef, newest?: string): Turn => {
  if ('id' in thread) return { ...newTurn, threadId: toUuid(thread.id) };
  return 'newest' in thread && newest !== undefined ? { ...newTurn, threadId: newest } : newTurn;
};

/** The turn after this event; the same object where nothing has changed, as for most events. */
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
    case 'sampling':
      return { ...withThread(turn, event.threadId), sampling: event.question };
    case 'deltas':
      return withThread(turn, event.threadId);
    case 'event':
      return advanceByMessage(turn, event);
  }
};

const withThread = (turn: Turn, threadId: string): Turn => (turn.threadId === threadId ? turn : { ...turn, threadId });

const advanceByMessage = (turn: Turn, event: CodexEvent): Turn => {
  const { threadId, question, msg } = event;
  let next = withThread(turn, threadId);
  if (msg.type === 'error') next = { ...next, error: msg.message };
  if (question !== undefined) next = { ...next, questions: new Map(next.questions).set(question, event) };
  return next;
};

/** The turn without these questions; the same object when none of them was open. */
export const closeQuestions = (turn: Turn, questions: Iterable<number>): Turn => {
  let open = turn.questions;
  let { sampling } = turn;
  for (const question of questions) {
    open = withoutQuestion(open, question);
    if (question === sampling) sampling = undefined;
  }
  return open === turn.questions && sampling === turn.sampling ? turn : { ...turn, questions: open, sampling };
};

const withoutQuestion = (questions: Turn['questions'], question: number | undefined): Turn['questions'] => {
  if (question === undefined || !questions.has(question)) return questions;
  const rest = new Map(questions);
  rest.delete(question);
  return rest;
};
