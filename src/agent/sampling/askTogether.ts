/** The calls of one answer of the model, for a client that is asked by a task: all their questions go out at once, and are answered in any order. */
import {
  concatMap,
  connect,
  filter,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  ReplaySubject,
  shareReplay,
} from 'rxjs';
import type { Ask } from '../../protocol/codex/engine';
import type { ToolCallItem } from '../../protocol/model/items';
import { ofKind } from '../../streams/ofKind';
import { sharedOrExclusive } from '../../streams/sharedOrExclusive';
import type { TurnStep } from '../thread/steps';
import type { ApprovalRequest, AssessedCall } from '../tools/tool';
import { type ApprovalDecision, askUntilWithdrawn } from '../turns/approval';
import { assessCall, prepareCall, questionOf, stopAt, type TurnCall } from './prepareCall';

/**
 * Runs calls as `sharedOrExclusive` does, but asks about each as soon as it is there. When the turn of a call has come, it is assessed again, because the
 * calls before it may have changed what it would do: the decision counts for the same question only, any other question is asked then, and a
 * question that need not be asked any more is withdrawn. A person who stops the turn stops it at once.
 *   in   ab-----|          (a, b calls)
 *   ask  ---y-x            (y what is decided about b, x about a)
 *   out  PQ---(AB|)        (P, Q the questions, A, B what the calls do)
 */
export const askTogether =
  (ask: Ask, turn: TurnCall['turn']): OperatorFunction<ToolCallItem, TurnStep> =>
  (call$) =>
    call$.pipe(
      map((call) => ({ call, early: askEarly(ask, { turn, call }) })),
      connect((early$) =>
        merge(
          early$.pipe(mergeMap(({ early }) => early.step$)),
          early$.pipe(
            sharedOrExclusive(({ call, early }) =>
              early.approval$.pipe(
                concatMap((approval) => prepareCall(ask, { turn, call }, decidedBy(ask, early, approval))),
              ),
            ),
          ),
        ),
      ),
    );

type Decided = { kind: 'decided'; decision: ApprovalDecision };

type EarlyQuestion = {
  /** Emits once what is asked; undefined if nothing is. */
  approval$: Observable<ApprovalRequest | undefined>;
  /** The question, and that it was withdrawn, or the end of the turn. */
  step$: Observable<TurnStep>;
  /** Emits what was decided. */
  decision$: Observable<ApprovalDecision>;
  withdraw: () => void;
};

const askEarly = (ask: Ask, turnCall: TurnCall): EarlyQuestion => {
  const withdrawn$ = new ReplaySubject<void>(1); // the wire from the turn of the call to its question
  const approval$ = assessCall(turnCall).pipe(
    map((assessed) => (assessed.verdict === 'ask' ? assessed.approval : undefined)),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
  const item$ = approval$.pipe(
    mergeMap((approval) => (approval === undefined ? [] : askOnce(ask, turnCall, { approval, withdrawn$ }))),
    shareReplay({ bufferSize: Number.POSITIVE_INFINITY, refCount: true }), // the decision waits for the turn of the call
  );
  return {
    approval$,
    step$: item$.pipe(filter((item): item is TurnStep => item.kind !== 'decided')),
    decision$: item$.pipe(
      ofKind('decided'),
      map(({ decision }) => decision),
    ),
    withdraw: () => withdrawn$.next(),
  };
};

type Once = { approval: ApprovalRequest; withdrawn$: Observable<void> };

const askOnce = (ask: Ask, { turn, call }: TurnCall, { approval, withdrawn$ }: Once) =>
  askUntilWithdrawn<TurnStep | Decided>(ask, turn.op, {
    question: questionOf(turn, approval),
    decided: (decision) =>
      of<(TurnStep | Decided)[]>(
        ...(decision.decision === 'abort' ? stopAt({ turn, call }, { approval, decision }) : []),
        { kind: 'decided', decision },
      ),
    withdrawn$,
    onWithdrawn: (question) => ({
      kind: 'withdrawn',
      callId: turn.op.callId,
      question,
      reason: 'it is not asked any more',
    }),
  });

/** How a call asks when its turn has come: the same question was asked already. */
const decidedBy =
  (ask: Ask, { decision$, withdraw }: EarlyQuestion, asked: ApprovalRequest | undefined) =>
  (assessed: AssessedCall): Ask => {
    const isSame = assessed.verdict === 'ask' && JSON.stringify(assessed.approval) === JSON.stringify(asked);
    if (isSame) return (_, __, then) => decision$.pipe(mergeMap((decision) => then(decision)));
    withdraw();
    return ask;
  };
