import { NEVER, of } from 'rxjs';
import {
  type Assessment,
  type RunMode,
  type Tool,
  type ToolRow,
  toolTable,
  toRow,
} from '../../../src/agent/tools/tool';
import type { ToolSpec } from '../../../src/protocol/model/request';
import { marbles } from '../../support/marbles';

const spec = { type: 'function', name: 't', description: '', strict: false, parameters: {} } as const;
const approval = { msg: { type: 'warning', message: '?' }, subject: 's', what: 'w', keys: [] } as const;
const call = { callId: 'c', args: '{}', isApproved: () => false };

describe('toRow', () => {
  const ran: [number, RunMode][] = [];
  const toolOf = (assessment: Assessment<number>): Tool<number> => ({
    spec,
    assess: () => of(assessment),
    run: (plan, mode) => {
      ran.push([plan, mode]);
      return of({ kind: 'output', text: String(plan) });
    },
  });

  it('keeps what is offered, and the names it answers to', () => {
    const tool = toolOf({ verdict: 'run', plan: 1 });
    expect(toRow(tool)).toEqual({ spec, names: ['t'], assess: expect.any(Function) });
    expect(toRow({ ...tool, otherNames: ['u'] }).names).toEqual(['t', 'u']);
    expect(toRow({ ...tool, textArgument: 'input' })).toHaveProperty('textArgument', 'input');
  });

  it.each<Assessment<number>>([
    { verdict: 'run', plan: 1 },
    { verdict: 'sandbox', plan: 2 },
    { verdict: 'ask', plan: 3, approval },
  ])('runs the plan of %j', (assessment) =>
    marbles(({ expectObservable }) => {
      const { plan, ...rest } = assessment as { plan: number };
      toRow(toolOf(assessment))
        .assess(call)
        .subscribe((assessed) => {
          expect(assessed).toEqual({ ...rest, run: expect.any(Function) });
          if (assessed.verdict === 'refuse') return;
          expectObservable(assessed.run('sandboxed')).toBe('(o|)', { o: { kind: 'output', text: String(plan) } });
          expect(ran.splice(0)).toEqual([[plan, 'sandboxed']]);
        });
    })(),
  );

  it(
    'has nothing to run for a call that is refused',
    marbles(({ expectObservable }) => {
      const refused = { verdict: 'refuse', output: 'no' } as const;
      expectObservable(toRow(toolOf(refused)).assess(call)).toBe('(r|)', { r: refused });
    }),
  );
});

describe('toolTable', () => {
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
});
