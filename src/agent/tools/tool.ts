/** The port of a tool: what is offered to a model, whether a call may run, and how it runs. */
import { map, type Observable } from 'rxjs';
import type { Plan } from '../../executor/patch/plan';
import type { ReviewResult } from '../../protocol/codex/approval';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { ToolSpec } from '../../protocol/model/request';

/** A call by the model. `args` is JSON text as the model wrote it; `isApproved`: whether a key was approved for the session. */
export type ToolCall = { callId: string; args: string; isApproved: (key: string) => boolean };

/** `direct`: without a sandbox, like a program of the user; `sandboxed`: inside the sandbox of its thread. */
export type RunMode = 'direct' | 'sandboxed';

/**
 * What a person is asked before something is done. `msg` is the question as an event, `subject` names the action in the report
 * that it was declined, `what` names it in the output for the model (`exec command`); an approval for the session covers all `keys`.
 */
export type ApprovalRequest = { msg: EventMsg; subject: string; what: string; keys: readonly string[] };

/**
 * Whether a call may run, and how. `run` and `sandbox`: at once, directly or in the sandbox. `ask`: directly, once it is
 * approved. `refuse`: not at all, and the model reads why; `report` is present if the caller gets the reason as well.
 * `effect`: a call that only reads may run beside other such calls; any other runs alone.
 */
export type Assessment<P> =
  | { verdict: 'run' | 'sandbox'; plan: P; effect?: 'reads' }
  | { verdict: 'ask'; plan: P; approval: ApprovalRequest }
  | { verdict: 'refuse'; output: string; report?: { subject: string; reason: string } };

/**
 * What happens while a call runs. `event`: an event for the client. `question`: the tool asks a person, whose reply goes to `answer`. `patched`:
 * a patch was applied. `image`: the model is shown this image, after the outputs. The last event is `output`, which the model reads, or `blocked`:
 * the sandbox stopped the call, which may run once more, directly, if that is approved; otherwise the model reads `output`.
 */
export type ToolEvent =
  | { kind: 'event'; msg: EventMsg }
  | { kind: 'question'; msg: EventMsg; subject: string; answer: (review: ReviewResult) => void }
  | { kind: 'patched'; plan: Plan }
  | { kind: 'image'; url: string }
  | { kind: 'output'; text: string }
  | { kind: 'blocked'; output: string; approval: ApprovalRequest };

/**
 * A tool. `assess` reads the arguments of a call and emits once; `run` does what was assessed and ends with its last event.
 * Neither errors except on a bug. Unsubscribing from `run` stops the call.
 * @param otherNames names by which models call it that have learned them elsewhere
 * @param textArgument the argument that receives the text of a free-form call; without it there are no free-form calls
 */
export type Tool<P> = {
  spec: ToolSpec;
  otherNames?: readonly string[];
  textArgument?: string;
  assess: (call: ToolCall) => Observable<Assessment<P>>;
  run: (plan: P, mode: RunMode) => Observable<ToolEvent>;
};

type Run = { run: (mode: RunMode) => Observable<ToolEvent> };

/** A call that was assessed, and how to run it. */
export type AssessedCall =
  | ({ verdict: 'run' | 'sandbox'; effect?: 'reads' } & Run)
  | ({ verdict: 'ask'; approval: ApprovalRequest } & Run)
  | Extract<Assessment<never>, { verdict: 'refuse' }>;

/** A row of the table: a tool without the type of its plans. */
export type ToolRow = {
  spec: ToolSpec;
  names: readonly string[];
  textArgument?: string;
  assess: (call: ToolCall) => Observable<AssessedCall>;
};

/** The row of a tool. */
export const toRow = <P>({ spec, otherNames = [], textArgument, assess, run }: Tool<P>): ToolRow => ({
  spec,
  names: ['name' in spec ? spec.name : spec.type, ...otherNames],
  ...(textArgument !== undefined && { textArgument }),
  assess: (call) =>
    assess(call).pipe(
      map((assessment): AssessedCall => {
        if (assessment.verdict === 'refuse') return assessment;
        const { plan, ...rest } = assessment;
        return { ...rest, run: (mode) => run(plan, mode) };
      }),
    ),
});

/** `find` knows the offered tools by all their names. */
export type ToolTable = { specs: readonly ToolSpec[]; find: (name: string) => ToolRow | undefined };

/** The table of these tools, in this order; if two have the same name, the first counts. */
export const toolTable = (rows: readonly ToolRow[]): ToolTable => {
  const byName = new Map(rows.toReversed().flatMap((row) => row.names.map((name) => [name, row] as const)));
  return { specs: rows.map(({ spec }) => spec), find: (name) => byName.get(name) };
};
