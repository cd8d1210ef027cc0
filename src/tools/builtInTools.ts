/** The tools that are built in, as rows of the table. */
import { EMPTY } from 'rxjs';
import type { Config } from '../config';
import type { SessionSandbox } from '../executor';
import { applyPatchTool } from './applyPatchTool';
import type { ReadImage } from './image';
import { type ShellDeps, type ShellSettings, shellTool } from './shellTool';
import { type ToolRow, toRow } from './tool';
import { updatePlan } from './updatePlan';
import { viewImage } from './viewImage';

/** `openSandbox`: what commands and patches of a new thread may write to; the folders are those that are there now. */
export type BuiltInDeps = ShellDeps & { readImage: ReadImage; openSandbox: (config: Config) => SessionSandbox };

/** The rows for a new thread with this configuration, in the order in which a model is offered them. */
export const builtInTools =
  ({ openSandbox, ...deps }: BuiltInDeps) =>
  (config: Config): ToolRow[] => {
    const sandbox = openSandbox(config);
    const { approvalPolicy: policy, sandboxMode: mode, cwd, shellEnvironment: environment, sealed } = config;
    return [
      toRow(shellTool(deps, { policy, mode, cwd, environment, sandbox, sealed, form: shellForm(config) })),
      toRow(applyPatchTool(deps, { policy, mode, sealed, folder: cwd, mayWrite: sandbox.mayWrite })),
      ...(config.includePlanTool ? [toRow(updatePlan())] : []),
      ...(config.tools.webSearch ? [webSearch] : []),
      ...(config.tools.viewImage ? [toRow(viewImage({ readImage: deps.readImage, cwd }))] : []),
    ];
  };

/**
 * Models that were trained on `local_shell` get that, unless they may ask for more rights, for which it has no words.
 * Source: Codex 0.28.0, CORE 4.3.
 */
const shellForm = ({ model, approvalPolicy }: Config): ShellSettings['form'] =>
  model.startsWith('codex-mini-latest') && approvalPolicy !== 'on-request' ? 'local_shell' : 'function';

/** Run by the provider, so that there are no calls of it here. */
const webSearch: ToolRow = { spec: { type: 'web_search_preview' }, names: [], assess: () => EMPTY };
