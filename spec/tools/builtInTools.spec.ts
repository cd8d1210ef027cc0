import { NEVER } from 'rxjs';
import { builtInTools } from '../../src/tools';
import { patchSpec } from '../../src/tools/applyPatchTool';
import { shellSpec } from '../../src/tools/shellArguments';
import { planSpec } from '../../src/tools/updatePlan';
import { config, sandbox } from '../agent/support';

describe('builtInTools', () => {
  const rows = builtInTools({
    readTrust: () => NEVER,
    parseCommand: () => NEVER,
    namesPrograms: () => false,
    showsSecrets: () => false,
    runOn: () => () => NEVER,
    backend: { start: () => NEVER },
    trustedPath: (path) => path,
    environmentOf: () => ({}),
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
});
