/** Owns which tool a call of the model goes to. */
import { type Observable, of } from 'rxjs';
import type { FunctionCall } from '../protocol';
import { readPlanArguments } from '../tools';
import { runShell, type ShellDeps } from './runShell';
import { runTool, type ToolDeps } from './runTool';
import { output, type Step, type Turn, tell } from './step';

export type CallDeps = ShellDeps & ToolDeps;

/** The tool as it is offered, and as some models have learned to call it. Source: Codex 0.28.0, CORE 6.1. */
const SHELL = new Set(['shell', 'container.exec']);

/** Runs one call. Emits its events, then its output for the model; or a stop. Only tools that were offered run. */
export const runCall =
  (deps: CallDeps) =>
  (turn: Turn, call: FunctionCall): Observable<Step> => {
    if (SHELL.has(call.name)) return runShell(deps)(turn, call);
    if (call.name === 'update_plan' && turn.thread.config.includePlanTool) return updatePlan(turn, call);
    const tool = turn.tools.tools.get(call.name);
    return tool ? runTool(deps)(turn, call, tool) : of(output(call, `unsupported call: ${call.name}`));
  };

const updatePlan = (turn: Turn, call: FunctionCall): Observable<Step> => {
  const plan = readPlanArguments(call.arguments);
  if (typeof plan === 'string') return of(output(call, plan));
  return of<Step[]>(
    tell(turn, { type: 'plan_update', explanation: plan.explanation ?? null, plan: plan.plan }),
    output(call, 'Plan updated'),
  );
};
