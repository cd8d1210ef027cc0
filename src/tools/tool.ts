/** The port of a tool: what a model is offered, whether a call may run, and running it. */
import { map, type Observable } from 'rxjs';
import type { EventMsg, ReviewResult } from '../protocol/codex';
import type { ToolSpec } from '../protocol/model';

/** A call by the model. `args` is JSON text as the model wrote it; `isApproved` tells what was approved for the session. */
export type ToolCall = { callId: string; args: string; isApproved: (key: string) => boolean };

/** `direct`: as a program of the user; `sandboxed`: inside the sandbox of its thread. */
export type RunMode = 'direct' | 'sandboxed';

/**
 * What a person is asked before something is done. `msg` is the question as an event, `subject` names it in the report that it
 * was not done, `what` in the output for the model (`exec command`); an approval for the session covers all `keys`.
 */
export type ApprovalRequest = { msg: EventMsg; subject: string; what: string; keys: readonly string[] };

/**
 * Whether a call may run, and as what. `run` and `sandbox`: at once, directly or in the sandbox. `ask`: directly, once it is
 * approved. `refuse`: not at all, and the model reads why; `reason` is there where the caller is told as well.
 */
export type Assessment<Plan> =
  | { verdict: 'run' | 'sandbox'; plan: Plan }
  | { verdict: 'ask'; plan: Plan; approval: ApprovalRequest }
  | { verdict: 'refuse'; output: string; report?: { subject: string; reason: string } };

/**
 * What happens while a call runs. `event`: an event for the client. `question`: the tool wants to know something of a person,
 * and gets it by `answer`. The last is `output`, which the model reads, or `blocked`: the sandbox stopped it, and it may run
 * once more, directly, if that is approved; else the model reads `output`.
 */
export type ToolEvent =
  | { kind: 'event'; msg: EventMsg }
  | { kind: 'question'; msg: EventMsg; subject: string; answer: (review: ReviewResult) => void }
  | { kind: 'output'; text: string }
  | { kind: 'blocked'; output: string; approval: ApprovalRequest };

/**
 * A tool. `assess` reads the arguments of a call and emits once; `run` does what was assessed and ends with its last event.
 * Neither errors but for a bug. Unsubscribing from `run` stops the call.
 * @param otherNames under which models call it that have learned them elsewhere
 */
export type Tool<Plan> = {
  spec: ToolSpec;
  otherNames?: readonly string[];
  assess: (call: ToolCall) => Observable<Assessment<Plan>>;
  run: (plan: Plan, mode: RunMode) => Observable<ToolEvent>;
};

type Run = { run: (mode: RunMode) => Observable<ToolEvent> };

/** A call that was assessed, with what runs it. */
export type AssessedCall =
  | ({ verdict: 'run' | 'sandbox' } & Run)
  | ({ verdict: 'ask'; approval: ApprovalRequest } & Run)
  | Extract<Assessment<never>, { verdict: 'refuse' }>;

/** A row of the table: a tool whose plans are nobody else's business. */
export type ToolRow = {
  spec: ToolSpec;
  names: readonly string[];
  assess: (call: ToolCall) => Observable<AssessedCall>;
};

/** The row of a tool. */
export const toRow = <Plan>({ spec, otherNames = [], assess, run }: Tool<Plan>): ToolRow => ({
  spec,
  names: [spec.name, ...otherNames],
  assess: (call) =>
    assess(call).pipe(
      map((assessment): AssessedCall => {
        if (assessment.verdict === 'refuse') return assessment;
        const { plan, ...rest } = assessment;
        return { ...rest, run: (mode) => run(plan, mode) };
      }),
    ),
});
