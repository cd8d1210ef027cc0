/** Owns putting a question of the server to the person behind a call. */
import { concat, defer, filter, type Observable, of, takeUntil } from 'rxjs';
import type { Ask, CodexEvent, Event, EventMsg, ReviewResult, TurnOp } from '../protocol/codex';
import type { Request } from '../protocol/jsonrpc';
import { toQuestion } from './approvals';
import { begun } from './beginItem';
import type { Heard } from './heard';
import type { Link } from './link';
import { textOf, type Word } from './wire';

export type PutDeps = {
  ask: Ask;
  link: Link;
  op: TurnOp;
  heard: Heard;
  tell: (msg: EventMsg) => CodexEvent;
  word$: Observable<Word>;
};

/**
 * Asks, and answers the server with what was decided. Emits the question, then the beginning of what was allowed, or what
 * was declined without a person's word. A question that the server takes back is over.
 *   ask   ----y        ask   -----       (y the person's yes)
 *   word  -----        word  ---r-       (r serverRequest/resolved)
 *   out   Q---(B|)     out   Q--(D|)     (D declined, which takes the question back)
 */
export const put = ({ ask, link, op, heard, tell, word$ }: PutDeps, request: Request): Observable<Event> =>
  defer(() => {
    const { msg, what, isForm, answer } = toQuestion(heard, request);
    let open: number | undefined;
    const answered = ({ question, ...verdict }: ReviewResult & { question?: number }) => {
      open = undefined;
      link.answer(request.id, answer(verdict));
      const isAllowed = verdict.decision === 'approved' || verdict.decision === 'approved_for_session';
      return of(
        ...(isAllowed ? begun(heard, textOf(request.params.itemId)).map(tell) : []),
        ...(isForm && verdict.form ? [] : declined(op, what, { ...verdict, question })),
      );
    };
    const takenBack$ = defer(() => of(...(open === undefined ? [] : [takenBack(op, what, open)])));
    return concat(
      ask<Event>(
        op,
        (question) => {
          open = question;
          return { ...tell(msg), question };
        },
        answered,
      ).pipe(takeUntil(word$.pipe(filter(isEndOf(request))))),
      takenBack$,
    );
  });

const isEndOf =
  ({ id }: Request) =>
  ({ method, params }: Word): boolean =>
    method === 'serverRequest/resolved' && params.requestId === id;

const takenBack = ({ callId }: TurnOp, what: string, question: number): Event => ({
  kind: 'declined',
  callId,
  what,
  reason: 'Codex took the question back',
  question,
});

/** Names to the caller what was not done; nothing where it was approved. */
const declined = (
  { callId }: TurnOp,
  what: string,
  { decision, reason, question }: ReviewResult & { question?: number },
): Event[] => {
  if (decision === 'approved' || decision === 'approved_for_session') return [];
  const why = reason ?? (decision === 'abort' ? 'the user stopped the turn at this question' : undefined);
  return [{ kind: 'declined', callId, what, reason: why, question }];
};
