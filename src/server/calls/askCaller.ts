/** The port by which an engine asks the person behind a call, and the verdict when nobody answers. */
import { map, type Observable, timer } from 'rxjs';
import type { Ask, ReviewResult } from '../../protocol/codex';
import { request } from '../../rpc';
import { toTimerMs } from '../../streams';
import type { EngineInput } from './step';

/** `newQuestionId` never gives the same id twice. `askTimeoutMs` is how long a question stays open. */
export type AskDeps = { newQuestionId: () => number; askTimeoutMs: number };

const unaskable = (reason = 'it declared no elicitation'): ReviewResult => ({
  decision: 'denied',
  reason: `the client cannot be asked (${reason})`,
});

const tooLate = (ms: number): ReviewResult => ({ decision: 'denied', reason: `nobody answered within ${ms / 1000} s` });

type Given = Extract<EngineInput, { kind: 'verdict' }>;

/**
 * Asks, and goes on with the verdict, which always comes: a caller that cannot be asked denies at once, one that stays
 * silent denies after `askTimeoutMs`.
 * @param given$ hot; the verdicts of clients
 *   given$  ---y
 *   out     Q--T       (Q the question, T what follows the verdict)
 */
export const askCaller = ({ newQuestionId, askTimeoutMs }: AskDeps, given$: Observable<Given>): Ask => {
  const ask = request({
    response$: given$.pipe(map(({ question, verdict }) => ({ id: question, verdict }))),
    newId: newQuestionId,
    fallback: (id) => timer(toTimerMs(askTimeoutMs)).pipe(map(() => ({ id, verdict: tooLate(askTimeoutMs) }))),
  });
  return ({ askable, cannotAsk }, question, then) =>
    askable ? ask(question, ({ id, verdict }) => then({ ...verdict, question: id })) : then(unaskable(cannotAsk));
};
