import { NEVER, of } from 'rxjs';
import { builtInTools, patchSpec, planSpec } from '../../../src/agent/tools/builtInTools';
import { shellSpec } from '../../../src/agent/tools/shellArguments';
import { config, sandbox } from '../support';

describe('builtInTools', () => {
  const rows = builtInTools({
    readTrust: () => NEVER,
    parseCommand: () => NEVER,
    realFolder: (path) => of(path),
    namesPrograms: () => false,
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
