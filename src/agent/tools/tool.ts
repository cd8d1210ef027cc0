/** The port of a tool: what is offered to a model, whether a call may run, and how it runs. */
import { map, type Observable } from 'rxjs';
import type { Plan } from '../../executor/patch/plan';
import type { Editor } from '../../executor/patch/seen';
import type { ReviewResult } from '../../protocol/codex/engine';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { Coverage, TerminalAnswers, TerminalRequest } from '../../protocol/codex/events';
import type { TerminalWords } from '../../protocol/codex/operations';
import type { ToolSpec } from '../../protocol/model/request';

/** A call by the model. */
export type ToolCall = {
  callId: string;
  /** JSON text as the model wrote it. */
  args: string;
  /** True if a key was approved for the session. */
  isApproved: (key: string) => boolean;
  /** The editor of the client; absent if it cannot be asked. */
  editor?: Pick<Editor, 'read' | 'write'>;
  /** The terminals of the client, and which words they take; absent if it cannot be asked. */
  terminal?: { ask: ClientTerminal; words: TerminalWords };
};

/** Asks the client about a terminal. Emits its answer once, or why there is none, and never errors. Unsubscribing withdraws the request. */
export type ClientTerminal = <A extends keyof TerminalAnswers>(
  request: TerminalRequest & { act: A },
) => Observable<TerminalAnswers[A] | { fault: string }>;

/** `direct`: without a sandbox, like a program of the user; `sandboxed`: inside the sandbox of its thread. */
export type RunMode = 'direct' | 'sandboxed';

/** What a person is asked before something is done. */
export type ApprovalRequest = {
  /** The question as an event. */
  msg: EventMsg;
  /** Names the action in the report that it was declined. */
  subject: string;
  /** Names the action in the output for the model, such as `exec command`. */
  what: string;
  /** What an approval for the session covers, as the question names it. */
  covers?: Coverage;
  /** The same by keys; empty if it covers this call only. */
  keys: readonly string[];
};

/** Whether a call may run, and how. */
export type Assessment<P> =
  /** At once, directly or in the sandbox. A call that only reads may run at the same time as other such calls; any other call runs alone. */
  | { verdict: 'run' | 'sandbox'; plan: P; effect?: 'reads' }
  /** Directly, once it is approved. */
  | { verdict: 'ask'; plan: P; approval: ApprovalRequest }
  /** Not at all, and the model reads why; with `report` the caller gets the reason as well. */
  | { verdict: 'refuse'; output: string; report?: { subject: string; reason: string } };

/** What happens while a call runs. The last event is `output` or `blocked`. */
export type ToolEvent =
  /** For the client. */
  | { kind: 'event'; msg: EventMsg }
  /** The tool asks a person, whose reply goes to `answer`. */
  | { kind: 'question'; msg: EventMsg; subject: string; answer: (review: ReviewResult) => void }
  /** A patch was applied. */
  | { kind: 'patched'; plan: Plan }
  /** The model is shown this image, after the outputs. */
  | { kind: 'image'; url: string }
  /** The call may have changed what its approval covers: if `keys` are approved for the session, so are the keys that `keys$` emits. */
  | { kind: 'ownChanges'; keys: readonly string[]; keys$: Observable<readonly string[]> }
  /** What the model reads. */
  | { kind: 'output'; text: string }
  /** The sandbox stopped the call. It runs once more, directly, if that is approved; otherwise the model reads `output`. */
  | { kind: 'blocked'; output: string; approval: ApprovalRequest };

/** A tool. Neither of its streams errors except on a bug. */
export type Tool<P> = {
  spec: ToolSpec;
  /** Names by which some models call the tool, because they have learned them elsewhere. */
  otherNames?: readonly string[];
  /** The argument that receives the text of a free-form call; without it there are no free-form calls. */
  textArgument?: string;
  /** Reads the arguments of a call. Emits once. */
  assess: (call: ToolCall) => Observable<Assessment<P>>;
  /** Does what was assessed, and ends with the last event. Unsubscribing stops the call. */
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

/** The tools of a turn: for the list that is offered to a model, and for the calls it makes. */
export type ToolTable = {
  specs: readonly ToolSpec[];
  /** The tool that has this name, or calls itself so too. */
  find: (name: string) => ToolRow | undefined;
};

/** The table of these tools, in this order; if two have the same name, the first counts. */
export const toolTable = (rows: readonly ToolRow[]): ToolTable => {
  const byName = new Map(rows.toReversed().flatMap((row) => row.names.map((name) => [name, row] as const)));
  return { specs: rows.map(({ spec }) => spec), find: (name) => byName.get(name) };
};

/** An event of Codex as what a tool emits. */
export const toEvent = (msg: EventMsg): ToolEvent => ({ kind: 'event', msg });
