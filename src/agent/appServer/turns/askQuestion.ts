/** A question of the server on its way to the person behind a call. */
import { filter, merge, type Observable, of } from 'rxjs';
import type { Ask } from '../../../protocol/codex/engine';
import type { ThreadOp } from '../../../protocol/codex/operations';
import type { Request } from '../../../protocol/jsonrpc/messages';
import { ofKind } from '../../../streams/ofKind';
import { askUntilWithdrawn } from '../../turns/approval';
import { ResolvedParams, read } from '../shapes';
import type { TurnInput } from './reduceTurn';
import type { TurnMessage } from './selectTurn';

/** @param message$ the messages of the turn: the server withdraws a question by a notification */
export type AskQuestionDeps = { ask: Ask; op: ThreadOp; message$: Observable<TurnMessage> };

/**
 * Emits the request, so that its question is known, then that it was asked, then what was decided or that it was withdrawn.
 *   ask       ----y          ask       -----       (y the decision)
 *   message$  -----          message$  ---r-       (r serverRequest/resolved)
 *   out       (RA)(D|)       out       (RA)(W|)    (R the request, A asked, D decided, W withdrawn)
 */
export const askQuestion = ({ ask, op, message$ }: AskQuestionDeps, request: Request): Observable<TurnInput> =>
  merge(
    of(request),
    askUntilWithdrawn<TurnInput>(ask, op, {
      question: (question) => ({ kind: 'asked', request, question }),
      decided: (decision) => of({ kind: 'decided', request, decision }),
      withdrawn$: message$.pipe(
        ofKind('notification'),
        filter(
          ({ method, params }) =>
            method === 'serverRequest/resolved' && read(ResolvedParams, params).requestId === request.id,
        ),
      ),
      onWithdrawn: (question) => ({ kind: 'withdrawn', request, question }),
    }),
  );
