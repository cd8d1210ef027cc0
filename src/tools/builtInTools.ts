/** The tools that are built in, as rows of the table. */
import type { Config } from '../config';
import { type ShellDeps, shellTool } from './shellTool';
import { type ToolRow, toRow } from './tool';
import { updatePlan } from './updatePlan';

export type BuiltInDeps = ShellDeps;

/** The rows for a thread with this configuration, in the order in which a model is offered them. */
export const builtInTools =
  (deps: BuiltInDeps) =>
  (config: Config): ToolRow[] => [
    toRow(shellTool(deps, config)),
    ...(config.includePlanTool ? [toRow(updatePlan())] : []),
  ];
