import { type Observable, of } from 'rxjs';
import {
  assessPatch,
  type PatchCall,
  type PatchPlan,
  type PatchSettings,
  runPatch,
} from '../../../src/agent/tools/patchCalls';
import type { Assessment, RunMode, ToolEvent } from '../../../src/agent/tools/tool';
import type { PatchOrder, PatchOutcome } from '../../../src/executor/applying/transact';
import { type PatchFailure, type Plan, toFileChanges } from '../../../src/executor/patch/plan';
import type { Editor } from '../../../src/executor/patch/seen';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { ApprovalPolicy, SandboxMode } from '../../../src/protocol/codex/settings';
import { patchOf, planned } from '../../executor/patch/support';
import { marbles } from '../../support/marbles';
import { patchApprovalOf, patchSettingsOf, RETRY } from './support';

const inside = planned(patchOf('*** Add File: a', '+x'));
const outside = planned(patchOf('*** Add File: a', '+x', '*** Add File: out/b', '+y'));
const callOf = (approved: readonly string[] = []): PatchCall => ({
  callId: 'p',
  text: 'the patch',
  folder: '/ws',
  isApproved: (key) => approved.includes(key),
});

const assess = (plan: Plan | PatchFailure, settings: PatchSettings, approved?: readonly string[]) => {
  const found: Assessment<PatchPlan>[] = [];
  const deps = { check: () => of(plan), apply: () => of<PatchOutcome>(), now: () => 0 };
  assessPatch(deps, settings)(callOf(approved)).subscribe((one) => found.push(one));
  return found;
};

describe('the editor of a patch', () => {
  const editor = { read: () => of({ text: '' }), write: () => of({ text: '' }) };
  const editorPlaces = { folders: { '/ws': '/ws', '/link': '/real' }, denied: ['/ws/denied'] };
  const isSecret = async (real: string, denied: readonly string[]) => ['/ws/.ssh', ...denied].includes(real);

  const editorGiven = (settings: Partial<PatchSettings>, own: object = { isSecret }): Editor | undefined => {
    const given: (Editor | undefined)[] = [];
    const check = (_: string, __: string, editor?: Editor) => {
      given.push(editor);
      return of<Plan>(inside);
    };
    const deps = { check, apply: () => of<PatchOutcome>(), now: () => 0, ...own };
    const all = { ...patchSettingsOf('never', 'danger-full-access'), ...settings };
    assessPatch(deps, all)({ ...callOf(), editor }).subscribe();
    return given[0];
  };

  it.each([
    ['in a folder of the session', '/ws/a', '/ws/a', '/ws/a'],
    ['in a folder that is named by a link', '/link/x/../a', '/real/a', '/link/a'],
    ['outside', '/etc/hosts', '/etc/hosts', undefined],
    ['outside, by way of a folder of the session', '/ws/../etc/hosts', '/etc/hosts', undefined],
    ['that a link inside leads to', '/ws/a', '/ws/b', undefined],
    ['that a link leads to outside', '/ws/a', '/etc/hosts', undefined],
    ['in a folder with the name of a folder and more', '/wsx/a', '/wsx/a', undefined],
    ['of keys', '/ws/.ssh', '/ws/.ssh', undefined],
    ['that the permission profile denies', '/ws/denied', '/ws/denied', undefined],
  ])('is asked for files in the folders of the session only: a file %s', async (_, absolute, real, path) => {
    expect(await editorGiven({ editorPlaces })?.pathOf(absolute, real)).toBe(path);
  });

  it('is not there without places, and on another machine', () => {
    expect(editorGiven({})).toBeUndefined();
    expect(editorGiven({ editorPlaces }, {})).toBeUndefined();
  });
});

const rejected = 'patch rejected: writing outside of the project; rejected by user approval settings';

describe('assessPatch', () => {
  it.each<[ApprovalPolicy, SandboxMode, string, string]>([
    // inside, outside
    ['untrusted', 'workspace-write', 'ask', 'ask'],
    ['untrusted', 'danger-full-access', 'ask', 'ask'],
    ['on-failure', 'read-only', 'sandbox, then ask', 'sandbox, then ask'],
    ['on-failure', 'workspace-write', 'sandbox', 'sandbox, then ask'],
    ['on-failure', 'danger-full-access', 'run', 'run'],
    ['on-request', 'read-only', 'ask', 'ask'],
    ['on-request', 'workspace-write', 'sandbox', 'ask'],
    ['never', 'read-only', 'refuse', 'refuse'],
    ['never', 'workspace-write', 'sandbox', 'refuse'],
    ['never', 'danger-full-access', 'run', 'run'],
  ])('decides under %s in %s: inside %s, outside %s', (policy, mode, ofInside, ofOutside) => {
    const toAssessment = (plan: Plan, decision: string): Assessment<PatchPlan> => {
      const checked = { callId: 'p', plan, unasked: decision === 'run' };
      switch (decision) {
        case 'ask':
          return { verdict: 'ask', plan: checked, approval: patchApprovalOf(plan) };
        case 'refuse':
          return { verdict: 'refuse', output: rejected };
        case 'run':
          return { verdict: 'run', plan: checked };
        case 'sandbox':
          return { verdict: 'sandbox', plan: checked };
        default:
          return { verdict: 'sandbox', plan: { ...checked, again: patchApprovalOf(plan, RETRY) } };
      }
    };
    expect(assess(inside, patchSettingsOf(policy, mode))).toEqual([toAssessment(inside, ofInside)]);
    expect(assess(outside, patchSettingsOf(policy, mode))).toEqual([toAssessment(outside, ofOutside)]);
  });

  it('lets a patch run whose files were all approved for the session', () => {
    const settings = patchSettingsOf('untrusted', 'read-only');
    const keys = ['patch /ws/a', 'patch /ws/out/b'];
    expect(assess(outside, settings, keys)).toEqual([
      { verdict: 'run', plan: { callId: 'p', plan: outside, unasked: true } },
    ]);
    expect(assess(outside, settings, keys.slice(0, 1))).toMatchObject([{ verdict: 'ask' }]);
  });

  it('names the file that a link leads to', () => {
    const linked: Plan = { ...inside, files: inside.files.map((file) => ({ ...file, real: '/ws/out/secret' })) };
    expect(assess(linked, patchSettingsOf('on-request', 'workspace-write'))).toEqual([
      {
        verdict: 'ask',
        plan: { callId: 'p', plan: linked, unasked: false },
        approval: patchApprovalOf(linked, '/ws/a is reached by a link; the file that changes is /ws/out/secret'),
      },
    ]);
  });

  it.each<[ApprovalPolicy, SandboxMode, object]>([
    [
      'untrusted',
      'read-only',
      { verdict: 'ask', approval: { msg: { reason: expect.stringMatching(/changes is \/etc\/x$/) } } },
    ],
    [
      'on-failure',
      'workspace-write',
      {
        plan: {
          again: { msg: { reason: `/ws/out/a is reached by a link; the file that changes is /etc/x\n${RETRY}` } },
        },
      },
    ],
  ])('names it under %s in %s too, also for a path that is outside itself', (policy, mode, expected) => {
    const [file] = planned(patchOf('*** Add File: out/a', '+x')).files;
    const linked = { ...outside, files: [{ ...file, real: '/etc/x' }] } as Plan;
    const settings = { ...patchSettingsOf(policy, mode), mayWrite: () => false };
    expect(assess(linked, settings)).toMatchObject([expected]);
  });

  it('shows what is hidden in the name of a file', () => {
    const named = planned(patchOf('*** Add File: a\u202eb', '+x'));
    expect(assess(named, patchSettingsOf('untrusted', 'read-only'))).toMatchObject([
      { approval: { subject: 'the patch of a\\u202eb' } },
    ]);
  });

  it('refuses a patch that cannot be applied, with the reason', () => {
    const failure: PatchFailure = { kind: 'invalidPatch', message: 'no end' };
    expect(assess(failure, patchSettingsOf('never', 'danger-full-access'))).toEqual([
      { verdict: 'refuse', output: 'error: invalid patch: no end' },
    ]);
  });
});

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
    'lets a patch that is %s (always sandboxed: %s) write to what the settings or the person allow',
    (mode, alwaysSandboxed, expected) => {
      const orders: PatchOrder[] = [];
      const apply = (order: PatchOrder) => {
        orders.push(order);
        return of(outcomes.y as PatchOutcome);
      };
      const deps = { check: () => of(inside), apply, now: () => 0 };
      const patch = { callId: 'p', plan: inside, unasked: false };
      runPatch(deps, { ...patchSettingsOf('untrusted', 'workspace-write'), alwaysSandboxed })(patch, mode).subscribe();
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
