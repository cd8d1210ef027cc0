/** One call of the model: which tool it goes to, whether it may run, what a person is asked. */
import { connect, filter, mergeMap, type Observable, of, takeUntil } from 'rxjs';
import type { Ask } from '../protocol/codex';
import type { FunctionCall } from '../protocol/model';
import type { ApprovalRequest, AssessedCall, RunMode, ToolEvent } from '../tools';
import { declinedEvents, isApproved, isApprovedForSession, rejectedOutput } from '../turns';
import { endOf, eventOf, outputOf, type Turn, type TurnStep } from './steps';

export type CallDeps = { ask: Ask };

/** A call of a turn. */
type TurnCall = { turn: Turn; call: FunctionCall };

/**
 * Runs one call, or asks first. Emits its events, then its output for the model; only tools that were offered run. Where the
 * user stops the turn over a question, the last event of the turn follows the output.
 *   ask  ----y         ask  ----n      (y approved, n declined)
 *   out  Q---B-(EO|)   out  Q---(O|)   (Q the question, B, E begin and end of what runs, O the output)
 */
export const runCall =
  (deps: CallDeps) =>
  (turn: Turn, call: FunctionCall): Observable<TurnStep> => {
    const tool = turn.tools.find(call.name);
    if (tool === undefined) return of(outputOf(call, `unsupported call: ${call.name}`));
    const isApproved = turn.thread.approvals.has;
    return tool
      .assess({ callId: call.call_id, args: call.arguments, isApproved })
      .pipe(mergeMap((assessed) => proceed(deps, { turn, call }, assessed)));
  };

const proceed = (deps: CallDeps, turnCall: TurnCall, assessed: AssessedCall): Observable<TurnStep> => {
  const { turn, call } = turnCall;
  switch (assessed.verdict) {
    case 'run':
      return run(deps, turnCall, { assessed, mode: 'direct' });
    case 'sandbox':
      return run(deps, turnCall, { assessed, mode: 'sandboxed' });
    case 'ask': {
      const { approval } = assessed;
      return approve(deps, turnCall, { approval, run: () => run(deps, turnCall, { assessed, mode: 'direct' }) });
    }
    case 'refuse': {
      const { report, output } = assessed;
      const reported = report ? declinedEvents(turn.op, report.subject, { decision: 'denied', ...report }) : [];
      return of<TurnStep[]>(...reported, outputOf(call, output));
    }
  }
};

type Running = { assessed: Extract<AssessedCall, { run: unknown }>; mode: RunMode };

const run = (deps: CallDeps, turnCall: TurnCall, { assessed, mode }: Running): Observable<TurnStep> =>
  assessed.run(mode).pipe(
    connect((event$) => {
      const over$ = event$.pipe(filter(({ kind }) => kind === 'output' || kind === 'blocked'));
      const { turn, call } = turnCall;
      return event$.pipe(
        mergeMap((event): Observable<TurnStep> => {
          switch (event.kind) {
            case 'event':
              return of(eventOf(turn, event.msg));
            case 'output':
              return of(outputOf(call, event.text));
            case 'question':
              return forward(deps, turn, event).pipe(takeUntil(over$)); // nobody waits for the answer to a call that is over
            case 'blocked': {
              const { approval, output } = event;
              const again = () => run(deps, turnCall, { assessed, mode: 'direct' });
              return approve(deps, turnCall, { approval, run: again, output });
            }
          }
        }),
      );
    }),
  );

/** Puts a question of the tool itself to the person. */
const forward = (
  { ask }: CallDeps,
  turn: Turn,
  { msg, subject, answer }: Extract<ToolEvent, { kind: 'question' }>,
): Observable<TurnStep> =>
  ask<TurnStep>(
    turn.op,
    (question) => ({ ...eventOf(turn, msg), question }),
    (decision) => {
      answer(decision);
      return of(...(decision.form === undefined ? declinedEvents(turn.op, subject, decision) : []));
    },
  );

/** @param run what runs once it is approved; @param output what the model reads else, in place of the usual words */
type Approve = { approval: ApprovalRequest; run: () => Observable<TurnStep>; output?: string };

const approve = (
  { ask }: CallDeps,
  { turn, call }: TurnCall,
  { approval, run, output }: Approve,
): Observable<TurnStep> =>
  ask<TurnStep>(
    turn.op,
    (question) => ({ ...eventOf(turn, approval.msg), question }),
    (decision) => {
      if (isApprovedForSession(decision)) for (const key of approval.keys) turn.thread.approvals.add(key);
      if (isApproved(decision)) return run();
      return of<TurnStep[]>(
        ...declinedEvents(turn.op, approval.subject, decision),
        outputOf(call, output ?? rejectedOutput(approval.what, decision)),
        ...(decision.decision === 'abort' ? endOf(turn, { kind: 'interrupted' }) : []),
      );
    },
  );
