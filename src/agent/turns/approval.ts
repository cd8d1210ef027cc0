/** Asking the person behind a call for approval, and what the decision means. */
import { concat, defer, type Observable, takeUntil } from 'rxjs';
import type { Ask, ReviewResult } from '../../protocol/codex/engine';
import type { Event } from '../../protocol/codex/events';
import type { ThreadOp } from '../../protocol/codex/operations';

export type ApprovalDecision = ReviewResult & {
  /** The id of the question, if the client was asked. */
  question?: number;
};

/** True if the action may be done. */
export const isApproved = ({ decision }: ReviewResult): boolean =>
  decision === 'approved' || decision === 'approved_for_session';

/** True if the action may be done without asking again, for as long as the thread lives. */
export const isApprovedForSession = ({ decision }: ReviewResult): boolean => decision === 'approved_for_session';

/**
 * The event that reports to the caller what was not done, with the reason unless the client simply declined. Nothing if it was approved.
 * @param subject names the action
 */
export const declinedEvents = (
  { callId }: Pick<ThreadOp, 'callId'>,
  subject: string,
  decision: ApprovalDecision,
): Event[] => {
  if (isApproved(decision)) return [];
  const reason = decision.reason ?? (decision.decision === 'abort' ? STOPPED : undefined);
  return [{ kind: 'declined', callId, what: subject, reason, question: decision.question }];
};

const STOPPED = 'the user stopped the turn at this question';

/** What the model reads of a call that was not approved, such as `exec command rejected by user`. */
export const rejectedOutput = (what: string, { reason }: ReviewResult): string =>
  `${what} rejected${reason === undefined ? ' by user' : `: ${reason}`}`;

/** A question that can be withdrawn. */
type Question<T> = {
  /** Makes the item that carries the question to the client, who answers under this id. */
  question: (id: number) => T;
  /** What follows the decision. */
  decided: (decision: ApprovalDecision) => Observable<T>;
  /** Emits when no answer is needed any more. */
  withdrawn$: Observable<unknown>;
  /** What follows then; `question` is the id of the question, which is still open at the client. */
  onWithdrawn: (question: number) => T;
};

/**
 * Asks for approval. Completes with `decided`, or after `onWithdrawn`.
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

/** What a person approved for as long as a thread lives. The tool that asks makes the keys. */
export type SessionApprovals = { has: (key: string) => boolean; add: (key: string) => void };

/** An empty set of approvals, for one thread. It is changed in place, because an answer counts at once for the other calls that run at that time. */
export const sessionApprovals = (): SessionApprovals => {
  const keys = new Set<string>();
  return { has: (key) => keys.has(key), add: (key) => void keys.add(key) };
};
