/** Owns asking the person behind a client, and what counts as an answer when none comes. */
import { map, merge, mergeMap, type Observable, timer } from 'rxjs';
import type { Ask, Verdict } from '../../protocol';
import { askPeer, ofKind } from '../../streams';
import type { CallCommand } from './command';

export type AskDeps = { newQuestionId: () => number; askTimeoutMs: number };

const UNASKABLE: Verdict = { decision: 'denied', reason: 'the client cannot be asked (it declared no elicitation)' };

const late = (ms: number): Verdict => ({ decision: 'denied', reason: `nobody answered within ${ms / 1000} s` });

/**
 * The verdicts of a client, from responses or from retries of a call.
 * Emits the id of the question with each.
 */
const verdicts = (command$: Observable<CallCommand>): Observable<{ id: number; verdict: Verdict }> =>
  merge(
    command$.pipe(
      ofKind('answered'),
      map(({ question, verdict }) => ({ id: question, verdict })),
    ),
    command$.pipe(
      ofKind('resume'),
      mergeMap(({ verdicts }) => [...verdicts].map(([id, verdict]) => ({ id, verdict }))),
    ),
  );

/**
 * Questions to the person behind a call. The verdict always comes: a client that cannot be asked denies at once,
 * one that stays silent denies after `askTimeoutMs`.
 */
export const askClient = ({ newQuestionId, askTimeoutMs }: AskDeps, command$: Observable<CallCommand>): Ask => {
  const ask = askPeer({
    answer$: verdicts(command$),
    newId: newQuestionId,
    instead: (id) => timer(askTimeoutMs).pipe(map(() => ({ id, verdict: late(askTimeoutMs) }))),
  });
  return ({ askable }, question, then) =>
    askable ? ask(question, ({ id, verdict }) => then({ ...verdict, question: id })) : then(UNASKABLE);
};
