/** The tools that are built in, as rows of the table. */
import type { Config } from '../config';
import type { SessionSandbox } from '../executor';
import { applyPatchTool } from './applyPatchTool';
import { type ShellDeps, shellTool } from './shellTool';
import { type ToolRow, toRow } from './tool';
import { updatePlan } from './updatePlan';

/** `openSandbox`: what commands and patches of a new thread may write to; the folders are those that are there now. */
export type BuiltInDeps = ShellDeps & { openSandbox: (config: Config) => SessionSandbox };

/** The rows for a new thread with this configuration, in the order in which a model is offered them. */
export const builtInTools =
  ({ openSandbox, ...deps }: BuiltInDeps) =>
  (config: Config): ToolRow[] => {
    const sandbox = openSandbox(config);
    const { approvalPolicy: policy, sandboxMode: mode, cwd, shellEnvironment: environment, sealed } = config;
    return [
      toRow(shellTool(deps, { policy, mode, cwd, environment, sandbox, sealed })),
      toRow(applyPatchTool(deps, { policy, mode, sealed, folder: cwd, mayWrite: sandbox.mayWrite })),
      ...(config.includePlanTool ? [toRow(updatePlan())] : []),
    ];
  };
