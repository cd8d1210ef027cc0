/** One call of the model: which tool it goes to, whether it may run, what a person is asked about it. */
import {
  catchError,
  concat,
  connect,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  map,
  mergeMap,
  type Observable,
  of,
  takeUntil,
  tap,
} from 'rxjs';
import type { Ask } from '../../protocol/codex/engine';
import type { CodexEvent } from '../../protocol/codex/events';
import { type LocalShellCall, type ToolCallItem, toolOf } from '../../protocol/model/items';
import type { Prepared } from '../../streams/sharedOrExclusive';
import { fileReasonOf, systemRemedy } from '../../streams/text/reasons';
import { endOf, eventOf, outputOf, refusalOf, type Turn, type TurnStep } from '../thread/steps';
import type { ApprovalRequest, AssessedCall, RunMode, ToolCall, ToolEvent, ToolRow } from '../tools/tool';
import {
  type ApprovalDecision,
  declinedEvents,
  isApproved,
  isApprovedForSession,
  rejectedOutput,
} from '../turns/approval';

/** A call of a turn. */
export type TurnCall = { turn: Turn; call: ToolCallItem; client?: Pick<ToolCall, 'editor' | 'terminal'> };

/**
 * Prepares one call. When run, it first asks if it has to, then emits the events of the call and its output for the model; only
 * tools that were offered run. If the user stops the turn in answer to a question, the last event of the turn follows the output.
 *   ask  ----y         ask  ----n      (y approved, n declined)
 *   out  Q---B-(EO|)   out  Q---(O|)   (Q the question, B, E begin and end of what runs, O the output)
 * @param firstAsk how it asks whether it may begin
 */
export const prepareCall = (
  ask: Ask,
  turnCall: TurnCall,
  firstAsk: (assessed: AssessedCall) => Ask = () => ask,
): Observable<Prepared<TurnStep>> =>
  assessCall(turnCall).pipe(
    map((assessed) => ({
      access: 'effect' in assessed && assessed.effect === 'reads' ? 'shared' : 'exclusive',
      run: () => proceed({ ask, firstAsk: firstAsk(assessed) }, turnCall, assessed),
    })),
  );

/** Whether a call may run. Emits once. */
export const assessCall = ({ turn, call, client }: TurnCall): Observable<AssessedCall> => {
  const tool = turn.tools.find(toolOf(call));
  const args = tool && argumentsOf(tool, call);
  if (tool === undefined || args === undefined) return of(refuseUnknown(call));
  const about = { callId: call.call_id, args, isApproved: turn.thread.approvals.has };
  return defer(() => tool.assess({ ...about, ...client })).pipe(catchError(refuseScarce));
};

/** JSON text; undefined if the tool accepts no free-form calls. */
const argumentsOf = ({ textArgument }: ToolRow, call: ToolCallItem): string | undefined => {
  if (call.type === 'function_call') return call.arguments;
  if (call.type === 'local_shell_call') return shellArguments(call);
  return textArgument === undefined ? undefined : JSON.stringify({ [textArgument]: call.input });
};

/** Source: Codex 0.28.0, CORE 6.1. */
const refuseUnknown = (call: ToolCallItem): AssessedCall => ({
  verdict: 'refuse',
  output: `unsupported ${call.type === 'custom_tool_call' ? 'custom tool call' : 'call'}: ${toolOf(call)}`,
});

/** A native command as arguments of the tool `shell`; the environment and user that it names are ignored. */
const shellArguments = ({ action: { command, timeout_ms, working_directory } }: LocalShellCall): string =>
  JSON.stringify({ command, timeout_ms: timeout_ms ?? undefined, workdir: working_directory ?? undefined });

type Asks = {
  ask: Ask;
  /** Asks whether the call may begin. */
  firstAsk: Ask;
};

const proceed = ({ ask, firstAsk }: Asks, turnCall: TurnCall, assessed: AssessedCall): Observable<TurnStep> => {
  const { turn, call } = turnCall;
  switch (assessed.verdict) {
    case 'run':
      return run(ask, turnCall, { assessed, mode: 'direct' });
    case 'sandbox':
      return run(ask, turnCall, { assessed, mode: 'sandboxed' });
    case 'ask': {
      const { approval } = assessed;
      return approve(firstAsk, turnCall, { approval, run: () => run(ask, turnCall, { assessed, mode: 'direct' }) });
    }
    case 'refuse': {
      const { report, output } = assessed;
      const reported = report ? declinedEvents(turn.op, report.subject, { decision: 'denied', ...report }) : [];
      return of<TurnStep[]>(...reported, refusalOf(call, output));
    }
  }
};

type Running = { assessed: Extract<AssessedCall, { run: unknown }>; mode: RunMode };

const run = (ask: Ask, turnCall: TurnCall, { assessed, mode }: Running): Observable<TurnStep> =>
  assessed.run(mode).pipe(
    connect((event$) => {
      const over$ = event$.pipe(filter(({ kind }) => kind === 'output' || kind === 'blocked'));
      const { turn, call } = turnCall;
      return event$.pipe(
        mergeMap((event): Observable<TurnStep> => {
          switch (event.kind) {
            case 'event':
              return of(eventOf(turn, event.msg));
            case 'patched':
            case 'image':
              return of(event);
            case 'output':
              return of(outputOf(call, event.text));
            case 'ownChanges':
              return event.keys.every(turn.thread.approvals.has) ? approved(turn, event.keys$) : EMPTY;
            case 'question':
              return forward(ask, turn, event).pipe(takeUntil(over$)); // nobody waits for an answer once the call is over
            case 'blocked': {
              const { approval, output } = event;
              const again = () => concat(of(retrying(turn)), run(ask, turnCall, { assessed, mode: 'direct' }));
              return approve(ask, turnCall, { approval, run: again, output });
            }
          }
        }),
      );
    }),
  );

/** The next call of the turn waits for it. */
const approved = ({ thread }: Turn, keys$: Observable<readonly string[]>): Observable<never> =>
  keys$.pipe(
    tap((keys) => keys.forEach(thread.approvals.add)),
    ignoreElements(),
  );

/** Source: Codex 0.28.0, recorded decisions. */
const retrying = (turn: Turn): TurnStep =>
  eventOf(turn, { type: 'background_event', message: 'retrying command without sandbox' });

/** Forwards a question of the tool itself to the person. */
const forward = (
  ask: Ask,
  turn: Turn,
  { msg, subject, answer }: Extract<ToolEvent, { kind: 'question' }>,
): Observable<TurnStep> =>
  ask<TurnStep>(turn.op, questionOf(turn, { msg, covers: 'once' }), (decision) => {
    answer(decision);
    return of(...(decision.form === undefined ? declinedEvents(turn.op, subject, decision) : []));
  });

type Approve = {
  approval: ApprovalRequest;
  /** What runs once it is approved. */
  run: () => Observable<TurnStep>;
  /** What the model reads otherwise; by default that the call was rejected. */
  output?: string;
};

const approve = (ask: Ask, { turn, call }: TurnCall, { approval, run, output }: Approve): Observable<TurnStep> =>
  ask<TurnStep>(turn.op, questionOf(turn, approval), (decision) => {
    if (isApprovedForSession(decision)) for (const key of approval.keys) turn.thread.approvals.add(key);
    return isApproved(decision) ? run() : of(...stopAt({ turn, call }, { approval, decision, output }));
  });

/** Makes the event that asks, under the id of its question. */
export const questionOf =
  (turn: Turn, { msg, covers }: Pick<ApprovalRequest, 'msg' | 'covers'>) =>
  (question: number): CodexEvent => ({ ...eventOf(turn, msg), question, ...(covers && { covers }) });

type Stopped = Pick<Approve, 'approval' | 'output'> & { decision: ApprovalDecision };

/** What follows if a call was not approved. */
export const stopAt = ({ turn, call }: TurnCall, { approval, decision, output }: Stopped): TurnStep[] => [
  ...declinedEvents(turn.op, approval.subject, decision),
  outputOf(call, output ?? rejectedOutput(approval.what, decision)),
  ...(decision.decision === 'abort' ? endOf(turn, { kind: 'interrupted' }) : []),
];

/** Nothing has run yet, so too many open files, for example, end the call and not the turn. Throws any other error. */
export const refuseScarce = (error: NodeJS.ErrnoException): Observable<AssessedCall> => {
  const remedy = systemRemedy(error.code);
  if (remedy === undefined) throw error;
  return of({ verdict: 'refuse', output: `the call was not run: ${fileReasonOf(error)}; ${remedy}` });
};
