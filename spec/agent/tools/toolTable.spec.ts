import { NEVER } from 'rxjs';
import type { ToolRow } from '../../../src/agent/tools/tool';
import { toolTable } from '../../../src/agent/tools/tool';
import type { ToolSpec } from '../../../src/protocol/model/request';

const spec = (name: string): ToolSpec => ({ type: 'function', name, description: '', strict: false, parameters: {} });
const row = (...names: [string, ...string[]]): ToolRow => ({ spec: spec(names[0]), names, assess: () => NEVER });

describe('toolTable', () => {
  const [shell, plan] = [row('shell', 'container.exec'), row('update_plan')];

  it('offers the tools in their order, under their own names', () => {
    expect(toolTable([shell, plan]).specs).toEqual([spec('shell'), spec('update_plan')]);
    expect(toolTable([]).specs).toEqual([]);
  });

  it('finds a tool under each of its names, and no other', () => {
    const { find } = toolTable([shell, plan]);
    const names = ['shell', 'container.exec', 'update_plan', 'rm_rf', '__proto__'];
    expect(names.map(find)).toEqual([shell, shell, plan, undefined, undefined]);
  });

  it('takes the first of two tools with one name', () => {
    expect(toolTable([shell, row('shell')]).find('shell')).toBe(shell);
  });
});
