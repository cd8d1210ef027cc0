/** Patches as calls of a tool: whether one may be applied, and applying it. */
import { normalize } from 'node:path';
import { concat, concatMap, defer, map, type Observable, of } from 'rxjs';
import type { PatchOrder, PatchOutcome } from '../../executor/applying/transact';
import { toModelText } from '../../executor/patch/failureText';
import { type PatchFailure, type Plan, toFileChanges } from '../../executor/patch/plan';
import type { Editor } from '../../executor/patch/seen';
import type { SessionSandbox } from '../../executor/sandbox/openSandboxes';
import type { ApprovalPolicy, SandboxMode } from '../../protocol/codex/settings';
import type { Config } from '../../settings/config';
import { clip, isWithin } from '../../streams/text/trim';
import { toVisible } from '../../streams/text/visible';
import { type Action, decide, type Ruling } from '../safety/decide';
import { toModelOutput, withNote } from './commandOutcome';
import type { ApprovalRequest, Assessment, RunMode, ToolCall, ToolEvent } from './tool';

export type PatchDeps = {
  /** Emits what a patch would do in a folder; with an editor, to the files as it shows them. */
  check: (text: string, folder: string, editor?: Editor) => Observable<Plan | PatchFailure>;
  /** Whether commands in the sandbox may not read the file at a path without links. Absent: no file of this machine is patched, so no editor is asked. */
  isSecret?: (real: string, denied: readonly string[]) => Promise<boolean>;
  /** Applies a patch, all or nothing. */
  apply: (order: PatchOrder) => Observable<PatchOutcome>;
  /** In ms, for durations. */
  now: () => number;
};

export type PatchSettings = {
  policy: ApprovalPolicy;
  mode: SandboxMode;
  /** True for a path that the settings of the session let a patch write to. */
  mayWrite: SessionSandbox['mayWrite'];
  /** A patch writes to nothing else, even if it is approved. */
  alwaysSandboxed: boolean;
  /** Where an editor is asked for files. Default: nowhere. */
  editorPlaces?: EditorPlaces;
};

/** Folders of a session, each with its path without links, and paths at or below which nothing is read. */
export type EditorPlaces = { folders: Config['folders']; denied: readonly string[] };

/** A patch of a call. */
export type PatchCall = Pick<ToolCall, 'callId' | 'isApproved' | 'editor'> & {
  text: string;
  /** Absolute; relative paths of the patch refer to it. */
  folder: string;
  /** Commands of the script that held the patch, which are not run. */
  rest?: string;
};

/** A patch that was checked. */
export type PatchPlan = {
  callId: string;
  plan: Plan;
  /** It is applied directly, without asking. */
  unasked: boolean;
  /** As in the call. */
  rest?: string;
  /** What a person is asked if the sandbox prevents it from writing. */
  again?: ApprovalRequest;
  /** It was checked with the files of this editor. */
  editor?: Editor;
};

/** Whether a patch may be applied. Emits once; a patch that cannot be applied is refused with the reason. */
export const assessPatch =
  (deps: PatchDeps, settings: PatchSettings) =>
  (call: PatchCall): Observable<Assessment<PatchPlan>> => {
    const editor = editorOf(deps, settings, call);
    return deps
      .check(call.text, call.folder, editor)
      .pipe(
        map((plan) =>
          plan.kind === 'plan'
            ? toAssessment(settings, { ...call, editor }, plan)
            : { verdict: 'refuse', output: toModelText(plan) },
        ),
      );
  };

/**
 * The editor is asked for files in the folders of the session only, and only for files that the sandbox would let a command read. A file that is reached
 * by a link inside of them is changed on the disk: the editor may know it by another path.
 */
const editorOf = (
  { isSecret }: PatchDeps,
  { editorPlaces }: PatchSettings,
  { editor }: PatchCall,
): Editor | undefined =>
  editor &&
  isSecret &&
  editorPlaces && {
    ...editor,
    pathOf: async (absolute, real) => {
      const path = normalize(absolute);
      const isOwn = Object.entries(editorPlaces.folders).some(
        ([named, at]) => isWithin(named, path) && at + path.slice(named.length) === real,
      );
      return isOwn && !(await isSecret(real, editorPlaces.denied)) ? path : undefined;
    },
  };

type CheckedCall = Omit<PatchCall, 'editor'> & { editor: Editor | undefined };

const toAssessment = (settings: PatchSettings, call: CheckedCall, plan: Plan): Assessment<PatchPlan> => {
  const action = actionOf(settings, call, plan);
  const { policy, mode } = settings;
  const ruling = decide({ policy, mode, action, sandbox: { kind: 'ready' } });
  const links = leadsOutside(settings, plan);
  const { callId, rest, editor } = call;
  const unasked = ruling.decision === 'run';
  const checked = { callId, plan, unasked, ...(rest !== undefined && { rest }), ...(editor && { editor }) };
  switch (ruling.decision) {
    case 'refuse':
      return { verdict: 'refuse', output: `patch rejected: ${ruling.reason}` };
    case 'ask':
      return { verdict: 'ask', plan: checked, approval: toApproval(call, plan, links) };
    case 'run':
      return { verdict: 'run', plan: checked };
    case 'sandbox':
      return {
        verdict: 'sandbox',
        plan: { ...checked, ...(isBlocked(action, ruling) && { again: toApproval(call, plan, again(links)) }) },
      };
  }
};

const actionOf = ({ mayWrite }: PatchSettings, { isApproved }: CheckedCall, plan: Plan): Action => {
  if (keysOf(plan).every(isApproved)) return 'approved';
  return plan.files.every(({ real }) => mayWrite(real)) ? 'patch' : 'patchOutside';
};

const isBlocked = (action: Action, ruling: Extract<Ruling, { decision: 'sandbox' }>): boolean =>
  action === 'patchOutside' && ruling.afterDenial === 'ask';

/** An approval for the session applies to these files, wherever links lead. */
const keysOf = ({ files }: Plan): string[] => files.map(({ real }) => `patch ${real}`);

const toApproval = (call: CheckedCall, plan: Plan, reason: string | undefined): ApprovalRequest => ({
  msg: {
    type: 'apply_patch_approval_request',
    call_id: call.callId,
    changes: toFileChanges(plan),
    ...(reason !== undefined && { reason }),
  },
  subject: `the patch of ${plan.files.map(({ path }) => toVisible(path)).join(', ')}`,
  what: 'patch',
  keys: keysOf(plan),
});

/** Source: Codex 0.28.0; there it asked about a command line of its own. */
const again = (links: string | undefined): string =>
  [links, 'command failed; retry without sandbox?'].filter((line) => line !== undefined).join('\n');

/** Names each path that is a link to a file that may not be written, because the path does not show that. */
const leadsOutside = ({ mayWrite }: PatchSettings, { files }: Plan): string | undefined => {
  const links = files.filter(({ absolute, real }) => real !== normalize(absolute) && !mayWrite(real));
  return links.length === 0
    ? undefined
    : links
        .map(({ absolute, real }) => toVisible(`${absolute} is reached by a link; the file that changes is ${real}`))
        .join('\n');
};

/**
 * Applies a patch that was assessed, in the sandboxed mode only to files that the settings allow. Emits `patch_apply_begin`,
 * `patch_apply_end`, `patched` if files have changed, then the output. Unsubscribing rolls back what is not complete.
 *   outcome  ---(A|)
 *   out      b--(EPO|)    (b begin, E end, P patched, O output for the model)
 */
export const runPatch =
  ({ apply, now }: PatchDeps, { mayWrite, alwaysSandboxed }: PatchSettings) =>
  (patch: PatchPlan, mode: RunMode): Observable<ToolEvent> =>
    defer(() => {
      const startedMs = now();
      const { callId, plan, unasked, editor } = patch;
      const auto_approved = unasked || mode === 'sandboxed';
      const order: PatchOrder =
        mode === 'sandboxed' || alwaysSandboxed
          ? { plan, mayWrite, within: 'sandbox', ...(editor && { editor }) }
          : { plan, mayWrite: () => true, ...(editor && { editor }) };
      return concat(
        of(event({ type: 'patch_apply_begin', call_id: callId, auto_approved, changes: toFileChanges(plan) })),
        apply(order).pipe(
          concatMap((outcome) => toEnd(patch, outcome, { mode, tookMs: Math.max(0, now() - startedMs) })),
        ),
      );
    });

const event = (msg: Extract<ToolEvent, { kind: 'event' }>['msg']): ToolEvent => ({ kind: 'event', msg });

type Ran = { mode: RunMode; tookMs: number };

const toEnd = ({ callId, plan, again, rest }: PatchPlan, outcome: PatchOutcome, { mode, tookMs }: Ran): ToolEvent[] => {
  const end = { type: 'patch_apply_end', call_id: callId } as const;
  if (outcome.kind === 'applied') {
    const { summary } = outcome;
    return [
      event({ ...end, stdout: summary, stderr: '', success: true }),
      { kind: 'patched', plan },
      { kind: 'output', text: toModelOutput(withNote(summary, notRun(rest)), 0, tookMs) },
    ];
  }
  const stderr = `${outcome.message}\n`;
  const failed = event({ ...end, stdout: '', stderr, success: false });
  const output = toModelOutput(withNote(stderr, notRun(rest)), 1, tookMs);
  return again !== undefined && mode === 'sandboxed'
    ? [failed, event(executionFailed(stderr)), { kind: 'blocked', output, approval: again }]
    : [failed, { kind: 'output', text: output }];
};

const notRun = (rest: string | undefined): string | undefined =>
  rest === undefined
    ? undefined
    : `The commands besides the patch were not run; run them in a call of their own: ${clip(rest, 200)}`;

/** Source: Codex 0.28.0, recorded decisions. */
const executionFailed = (stderr: string) =>
  ({
    type: 'background_event',
    message: `Execution failed: sandbox denied exec error, exit code: 1, stdout: , stderr: ${stderr}`,
  }) as const;
