/** Questions whose client is away, while another call waits for their thread. */
import type { Calls } from './call';
import { callsInOrder } from './openCalls';
import type { Wait } from './step';

/** Shortens the wait of the questions on this thread whose call no request waits for; a new call waits for the thread. */
export const hurryQuestions = <C>(state: Calls<C>, threadId: string | undefined): Wait[] =>
  threadId === undefined
    ? []
    : callsInOrder(state).flatMap((entry) =>
        entry.phase === 'awaitingInput' && entry.turn.threadId === threadId ? toWaits(entry.turn.questions.keys()) : [],
      );

/** Shortens the wait of a question that a call asks while nobody waits for it, where a later call waits for the thread. */
export const hurryQuestion = <C>(state: Calls<C>, { order, threadId, question }: Asking): Wait[] => {
  const isWaitedFor = callsInOrder(state).some(
    (entry) => entry.phase === 'running' && entry.order > order && entry.turn.threadId === threadId,
  );
  return isWaitedFor ? toWaits([question]) : [];
};

/** The question, its thread, and which call asks it. */
type Asking = { order: number; threadId: string; question: number };

const toWaits = (questions: Iterable<number>): Wait[] =>
  [...questions].map((question) => ({ kind: 'wait', question, limit: 'short' }));
