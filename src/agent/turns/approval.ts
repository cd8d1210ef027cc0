/** Asking the person behind a call for approval, and what the decision means. */
import { concat, defer, type Observable, takeUntil } from 'rxjs';
import type { ReviewResult } from '../../protocol/codex/approval';
import type { Ask } from '../../protocol/codex/engine';
import type { Event } from '../../protocol/codex/events';
import type { ThreadOp } from '../../protocol/codex/operations';

/** What was decided; `question` is the id of the question, where the client was asked. */
export type Decision = ReviewResult & { question?: number };

/** True when what was asked for may be done. */
export const isApproved = ({ decision }: ReviewResult): boolean =>
  decision === 'approved' || decision === 'approved_for_session';

/** True when it may be done without asking again, for as long as the thread lives. */
export const isApprovedForSession = ({ decision }: ReviewResult): boolean => decision === 'approved_for_session';

/**
 * The event that names to the caller what was not done, with the reason unless the client simply declined; none for what was
 * approved.
 * @param subject names what was asked about
 */
export const declinedEvents = ({ callId }: Pick<ThreadOp, 'callId'>, subject: string, decision: Decision): Event[] => {
  if (isApproved(decision)) return [];
  const reason = decision.reason ?? (decision.decision === 'abort' ? STOPPED : undefined);
  return [{ kind: 'declined', callId, what: subject, reason, question: decision.question }];
};

const STOPPED = 'the user stopped the turn at this question';

/** What the model reads of a call that was not approved, such as `exec command rejected by user`. */
export const rejectedOutput = (what: string, { reason }: ReviewResult): string =>
  `${what} rejected${reason === undefined ? ' by user' : `: ${reason}`}`;

/**
 * @param question the element that carries the question to the client; the client answers under this id
 * @param decided what follows the decision
 * @param withdrawn$ emits when no answer is needed any more
 * @param onWithdrawn what follows then; `question` is the id that still waits for an answer
 */
export type Question<T> = {
  question: (id: number) => T;
  decided: (decision: Decision) => Observable<T>;
  withdrawn$: Observable<unknown>;
  onWithdrawn: (question: number) => T;
};

/**
 * Asks for approval with a question that can be withdrawn. Completes with `decided`, or after `onWithdrawn`.
 *   ask         ----y        ask         -----    (y the decision)
 *   withdrawn$  -----        withdrawn$  ---x-
 *   out         Q---(D|)     out         Q--(W|)  (Q the question, D what follows, W that it was withdrawn)
 */
export const askUntilWithdrawn = <T>(
  ask: Ask,
  op: ThreadOp,
  { question, decided, withdrawn$, onWithdrawn }: Question<T>,
): Observable<T> =>
  defer(() => {
    let waiting: number | undefined;
    const asked$ = ask<T>(
      op,
      (id) => {
        waiting = id;
        return question(id);
      },
      (decision) => {
        waiting = undefined;
        return decided(decision);
      },
    );
    return concat(
      asked$.pipe(takeUntil(withdrawn$)),
      defer(() => (waiting === undefined ? [] : [onWithdrawn(waiting)])),
    );
  });

/** Things are named by keys; the asking tool makes the keys. */
export type SessionApprovals = { has: (key: string) => boolean; add: (key: string) => void };

/**
 * An empty set of approvals, for one thread. It is changed in place, because an answer counts at once for the calls that
 * run beside the one that was asked about.
 */
export const sessionApprovals = (): SessionApprovals => {
  const keys = new Set<string>();
  return { has: (key) => keys.has(key), add: (key) => void keys.add(key) };
};
