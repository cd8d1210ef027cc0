/** The tool `update_plan`: the model shows the user its plan. */
import { of } from 'rxjs';
import * as z from 'zod/mini';
import type { FunctionSpec } from '../../protocol/model/request';
import { lazy } from '../../streams/lazy/lazy';
import { readArguments, toParameters } from './readArguments';
import type { Assessment, Tool, ToolEvent } from './tool';

const PlanArguments = z.strictObject({
  explanation: z.optional(z.string()),
  plan: z.array(z.strictObject({ step: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
});

/** The arguments with which a model calls update_plan. */
export type PlanArguments = z.output<typeof PlanArguments>;

/** The tool as it is offered to a model; made once, because a JSON Schema takes time to make. */
export const planSpec = lazy(
  (): FunctionSpec => ({
    type: 'function',
    name: 'update_plan',
    description: 'Shows the user the plan of the work, step by step. At most one step is in progress at a time.',
    strict: false,
    parameters: toParameters(PlanArguments),
  }),
);

/** The arguments, or what is wrong with them. */
export const readPlanArguments = (text: string): PlanArguments | string => readArguments(PlanArguments, text);

/** Shows the plan; nobody has to be asked. Source: Codex 0.28.0, CORE 6.1. */
export const updatePlan = (): Tool<PlanArguments> => ({
  spec: planSpec(),
  assess: ({ args }) => {
    const plan = readPlanArguments(args);
    return of<Assessment<PlanArguments>>(
      typeof plan === 'string' ? { verdict: 'refuse', output: plan } : { verdict: 'run', plan },
    );
  },
  run: ({ explanation = null, plan }) =>
    of<ToolEvent[]>(
      { kind: 'event', msg: { type: 'plan_update', explanation, plan } },
      { kind: 'output', text: 'Plan updated' },
    ),
});
