import { NEVER } from 'rxjs';
import { builtInTools } from '../../src/tools';
import { shellSpec } from '../../src/tools/shellArguments';
import { planSpec } from '../../src/tools/updatePlan';
import { config } from '../agent/support';

describe('builtInTools', () => {
  const rows = builtInTools({
    isTrusted: () => NEVER,
    parseCommand: () => NEVER,
    runCommand: () => NEVER,
    environmentOf: () => ({}),
  });
  const specsOf = (own: Parameters<typeof config>[0]) => rows(config(own)).map(({ spec }) => spec);

  it('has the plan tool where it is wanted', () => {
    expect(specsOf({ includePlanTool: false })).toEqual([shellSpec()]);
    expect(specsOf({ includePlanTool: true })).toEqual([shellSpec(), planSpec()]);
  });
});
