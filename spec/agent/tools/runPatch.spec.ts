import { type Observable, of } from 'rxjs';
import type { PatchPlan } from '../../../src/agent/tools/patchCalls';
import { runPatch } from '../../../src/agent/tools/patchCalls';
import type { RunMode, ToolEvent } from '../../../src/agent/tools/tool';
import type { PatchOrder, PatchOutcome } from '../../../src/executor/applying/transact';
import { toFileChanges } from '../../../src/executor/patch/toFileChanges';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { patchOf, planned } from '../../executor/patch/support';
import { marbles } from '../../support/marbles';
import { patchApprovalOf, patchSettingsOf, RETRY } from './support';

const inside = planned(patchOf('*** Add File: a', '+x'));

const event = (msg: EventMsg): ToolEvent => ({ kind: 'event', msg });
const begin = (auto_approved: boolean) =>
  event({ type: 'patch_apply_begin', call_id: 'p', auto_approved, changes: toFileChanges(inside) });
const end = (stdout: string, stderr: string) =>
  event({ type: 'patch_apply_end', call_id: 'p', stdout, stderr, success: stderr === '' });
const FAILED_OUTPUT = '{"output":"full disk\\n","metadata":{"exit_code":1,"duration_seconds":0.2}}';
const events: Record<string, ToolEvent> = {
  b: begin(false),
  a: begin(true),
  e: end('done\n', ''),
  p: { kind: 'patched', plan: inside },
  o: { kind: 'output', text: '{"output":"done\\n","metadata":{"exit_code":0,"duration_seconds":0.2}}' },
  f: end('', 'full disk\n'),
  n: { kind: 'output', text: FAILED_OUTPUT },
  x: event({
    type: 'background_event',
    message: 'Execution failed: sandbox denied exec error, exit code: 1, stdout: , stderr: full disk\n',
  }),
  r: { kind: 'blocked', output: FAILED_OUTPUT, approval: patchApprovalOf(inside, RETRY) },
};
const outcomes: Record<string, PatchOutcome> = {
  y: { kind: 'applied', summary: 'done\n' },
  n: { kind: 'failed', message: 'full disk' },
};

describe('runPatch', () => {
  it.each<[string, RunMode, Partial<PatchPlan>, string, string]>([
    ['that was approved', 'direct', {}, '--(y|)', 'b-(epo|)'],
    ['in full access', 'direct', { unasked: true }, '--(y|)', 'a-(epo|)'],
    ['within the roots', 'sandboxed', {}, '--(y|)', 'a-(epo|)'],
    ['that fails', 'direct', {}, '--(n|)', 'b-(fn|)'],
    ['that fails within the roots', 'sandboxed', {}, '--(n|)', 'a-(fn|)'],
    [
      'that is kept from writing, and asks again',
      'sandboxed',
      { again: patchApprovalOf(inside, RETRY) },
      '--(n|)',
      'a-(fxr|)',
    ],
    ['again, after it was approved', 'direct', { again: patchApprovalOf(inside, RETRY) }, '--(n|)', 'b-(fn|)'],
  ])('applies a patch %s', (_, mode, own, outcome, expected) =>
    marbles(({ cold, expectObservable }) => {
      const times = [1_000, 1_234];
      const apply = (): Observable<PatchOutcome> => cold(outcome, outcomes);
      const deps = { check: () => of(inside), apply, now: () => times.shift() ?? 0 };
      const patch = { callId: 'p', plan: inside, unasked: false, ...own };
      expectObservable(runPatch(deps, patchSettingsOf('untrusted', 'workspace-write'))(patch, mode)).toBe(
        expected,
        events,
      );
    })(),
  );

  it.each<[RunMode, boolean, boolean[]]>([
    ['sandboxed', false, [true, false]],
    ['direct', false, [true, true]],
    ['direct', true, [true, false]],
  ])(
    'lets a patch that is %s (sealed: %s) write to what the settings or the person allow',
    (mode, sealed, expected) => {
      const orders: PatchOrder[] = [];
      const apply = (order: PatchOrder) => {
        orders.push(order);
        return of(outcomes.y as PatchOutcome);
      };
      const deps = { check: () => of(inside), apply, now: () => 0 };
      const patch = { callId: 'p', plan: inside, unasked: false };
      runPatch(deps, { ...patchSettingsOf('untrusted', 'workspace-write'), sealed })(patch, mode).subscribe();
      expect(orders.map(({ mayWrite }) => ['/ws/a', '/ws/out/b'].map(mayWrite))).toEqual([expected]);
    },
  );

  it(
    'stops the patch when it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const apply$ = cold('----(y|)', outcomes);
      const deps = { check: () => of(inside), apply: () => apply$, now: () => 0 };
      const patch = { callId: 'p', plan: inside, unasked: false };
      const out$ = runPatch(deps, patchSettingsOf('untrusted', 'read-only'))(patch, 'direct');
      expectObservable(out$, '^-!').toBe('b--', events);
      expectSubscriptions(apply$.subscriptions).toBe('^-!');
    }),
  );
});
