/** Applies a patch that was assessed. */
import { concat, concatMap, defer, type Observable, of } from 'rxjs';
import type { PatchOrder, PatchOutcome } from '../../executor/applying/transact';
import { toFileChanges } from '../../executor/patch/toFileChanges';
import { toModelOutput } from './commandOutcome';
import type { PatchDeps, PatchPlan, PatchSettings } from './patchCalls';
import type { RunMode, ToolEvent } from './tool';

/**
 * Applies a patch that was assessed, in the sandboxed mode only where the settings allow it. Emits `patch_apply_begin`,
 * `patch_apply_end`, `patched` where files have changed, then the output. Unsubscribing rolls back what is not complete.
 *   outcome  ---(A|)
 *   out      b--(EPO|)    (b begin, E end, P patched, O output for the model)
 */
export const runPatch =
  ({ apply, now }: PatchDeps, { mayWrite, sealed }: PatchSettings) =>
  (patch: PatchPlan, mode: RunMode): Observable<ToolEvent> =>
    defer(() => {
      const startedMs = now();
      const { callId, plan, unasked } = patch;
      const auto_approved = unasked || mode === 'sandboxed';
      const order: PatchOrder =
        mode === 'sandboxed' || sealed ? { plan, mayWrite, within: 'sandbox' } : { plan, mayWrite: () => true };
      return concat(
        of(event({ type: 'patch_apply_begin', call_id: callId, auto_approved, changes: toFileChanges(plan) })),
        apply(order).pipe(
          concatMap((outcome) => toEnd(patch, outcome, { mode, tookMs: Math.max(0, now() - startedMs) })),
        ),
      );
    });

const event = (msg: Extract<ToolEvent, { kind: 'event' }>['msg']): ToolEvent => ({ kind: 'event', msg });

type Ran = { mode: RunMode; tookMs: number };

const toEnd = ({ callId, plan, again }: PatchPlan, outcome: PatchOutcome, { mode, tookMs }: Ran): ToolEvent[] => {
  const end = { type: 'patch_apply_end', call_id: callId } as const;
  if (outcome.kind === 'applied') {
    const { summary } = outcome;
    return [
      event({ ...end, stdout: summary, stderr: '', success: true }),
      { kind: 'patched', plan },
      { kind: 'output', text: toModelOutput(summary, 0, tookMs) },
    ];
  }
  const stderr = `${outcome.message}\n`;
  const failed = event({ ...end, stdout: '', stderr, success: false });
  const output = toModelOutput(stderr, 1, tookMs);
  return again !== undefined && mode === 'sandboxed'
    ? [failed, event(executionFailed(stderr)), { kind: 'blocked', output, approval: again }]
    : [failed, { kind: 'output', text: output }];
};

/** Source: Codex 0.28.0, recorded decisions. */
const executionFailed = (stderr: string) =>
  ({
    type: 'background_event',
    message: `Execution failed: sandbox denied exec error, exit code: 1, stdout: , stderr: ${stderr}`,
  }) as const;
