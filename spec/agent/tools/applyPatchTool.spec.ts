import { of } from 'rxjs';
import { applyPatchTool, type PatchToolSettings } from '../../../src/agent/tools/builtInTools';
import type { PatchFailure } from '../../../src/executor/patch/plan';

const settings: PatchToolSettings = {
  policy: 'never',
  mode: 'workspace-write',
  mayWrite: () => true,
  sealed: false,
  folder: '/ws',
};

const assess = (args: string) => {
  const checked: unknown[] = [];
  const found: unknown[] = [];
  const check = (...patch: [string, string]) => {
    checked.push(patch);
    return of<PatchFailure>({ kind: 'empty' });
  };
  applyPatchTool({ check, apply: () => of(), now: () => 0 }, settings)
    .assess({ callId: 'p', args, isApproved: () => false })
    .subscribe((one) => found.push(one));
  return { checked, found };
};

describe('applyPatchTool', () => {
  it('checks the patch in the folder of the thread', () => {
    expect(assess('{"input":"a patch"}')).toEqual({
      checked: [['a patch', '/ws']],
      found: [{ verdict: 'refuse', output: 'patch rejected: empty patch' }],
    });
  });

  it.each(['{}', '{"input":7}', '[]', '{'])('refuses the arguments %s', (args) => {
    expect(assess(args)).toEqual({
      checked: [],
      found: [{ verdict: 'refuse', output: expect.stringMatching(/^failed to parse function arguments: /) }],
    });
  });
});
