import { NEVER, of } from 'rxjs';
import {
  applyPatchTool,
  builtInTools,
  type PatchToolSettings,
  patchSpec,
  planSpec,
  updatePlan,
  viewImage,
} from '../../../src/agent/tools/builtInTools';
import { shellSpec } from '../../../src/agent/tools/shellArguments';
import type { PatchFailure } from '../../../src/executor/patch/plan';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { marbles } from '../../support/marbles';
import { config, sandbox } from '../support';

describe('builtInTools', () => {
  const rows = builtInTools({
    readTrust: () => NEVER,
    decideByRules: () => () => NEVER,
    parseCommand: () => NEVER,
    realFolder: (path) => of(path),
    marksOf: (paths) => of(paths.map(() => undefined)),
    wordsIn: () => of(undefined),
    repositoryOf: () => undefined,
    showsSecrets: () => false,
    runOn: () => () => NEVER,
    backend: { start: () => NEVER },
    trustedPath: (path) => path,
    workspaceProgram: () => undefined,
    environmentOf: () => ({}),
    readImage: () => NEVER,
    check: () => NEVER,
    apply: () => NEVER,
    now: () => 0,
    openSandbox: () => sandbox(),
  });
  const specsOf = (own: Parameters<typeof config>[0]) => rows(config(own)).map(({ spec }) => spec);

  it('has the plan tool where it is wanted', () => {
    expect(specsOf({ includePlanTool: false })).toEqual([shellSpec(), patchSpec()]);
    expect(specsOf({ includePlanTool: true })).toEqual([shellSpec(), patchSpec(), planSpec()]);
  });

  it('has the search of the provider and the tool for pictures where they are switched on', () => {
    expect(specsOf({ tools: { webSearch: true, viewImage: true } })).toEqual([
      shellSpec(),
      patchSpec(),
      { type: 'web_search_preview' },
      expect.objectContaining({ name: 'view_image' }),
    ]);
  });

  it.each([
    ['codex-mini-latest', 'never', { type: 'local_shell' }],
    ['codex-mini-latest', 'on-request', shellSpec()],
    ['gpt-5', 'never', shellSpec()],
  ] as const)('offers the shell to %s under %s as the model knows it', (model, approvalPolicy, spec) => {
    expect(specsOf({ model, approvalPolicy })[0]).toEqual(spec);
  });
});

const plan = [{ step: 'look', status: 'in_progress' as const }];
const call = (args: string) => ({ callId: 'c', args, isApproved: () => false });

describe('updatePlan', () => {
  it.each([
    ['a plan', JSON.stringify({ plan }), { verdict: 'run', plan: { plan } }],
    [
      'a plan that is not JSON',
      '{',
      { verdict: 'refuse', output: expect.stringMatching(/^failed to parse function arg/) },
    ],
    [
      'a plan with more than a plan',
      JSON.stringify({ plan, more: 1 }),
      { verdict: 'refuse', output: expect.stringMatching(/^failed to parse function arguments: .*more/) },
    ],
  ])('assesses %s', (_, args, assessed) =>
    marbles(({ expectObservable }) => {
      expectObservable(updatePlan().assess(call(args))).toBe('(a|)', { a: assessed });
    })(),
  );

  it.each<[string, { explanation?: string }, string | null]>([
    ['with an explanation', { explanation: 'so' }, 'so'],
    ['without one', {}, null],
  ])('shows a plan %s', (_, given, explanation) =>
    marbles(({ expectObservable }) => {
      const msg: EventMsg = { type: 'plan_update', explanation, plan };
      expectObservable(updatePlan().run({ plan, ...given }, 'direct')).toBe('(PO|)', {
        P: { kind: 'event', msg },
        O: { kind: 'output', text: 'Plan updated' },
      });
    })(),
  );
});

const tool = viewImage({
  readImage: (path) =>
    of(path === '/w/p.png' ? { kind: 'image', url: 'data:p' } : { kind: 'unreadable', reason: 'it is not a file' }),
  cwd: '/w',
});

describe('viewImage', () => {
  it.each([
    ['a path', '{"path":"p.png"}', { verdict: 'run', plan: { path: 'p.png' }, effect: 'reads' }],
    ['no path', '{}', { verdict: 'refuse', output: expect.stringMatching(/^failed to parse function arguments/) }],
  ])('assesses %s', (_, args, assessed) =>
    marbles(({ expectObservable }) => {
      expectObservable(tool.assess(call(args))).toBe('(a|)', { a: assessed });
    })(),
  );

  it(
    'shows the picture, and names the reason where there is none',
    marbles(({ expectObservable }) => {
      const values = {
        i: { kind: 'image', url: 'data:p' },
        o: { kind: 'output', text: 'attached local image path' },
        e: { kind: 'output', text: 'err: the picture /x could not be read: it is not a file' },
      };
      expectObservable(tool.run({ path: 'p.png' }, 'direct')).toBe('(io|)', values);
      expectObservable(tool.run({ path: '/x' }, 'direct')).toBe('(e|)', values);
    }),
  );
});

const settings: PatchToolSettings = {
  policy: 'never',
  mode: 'workspace-write',
  mayWrite: () => true,
  alwaysSandboxed: false,
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
