/** The built-in tools, as rows of the table. */
import { EMPTY } from 'rxjs';
import type { SessionSandbox } from '../../executor/sandbox/openSandboxes';
import type { Config } from '../../settings/config';
import { applyPatchTool } from './applyPatchTool';
import type { ReadImage } from './image';
import { type ShellDeps, type ShellSettings, shellTool } from './shellTool';
import { type ToolRow, toRow } from './tool';
import { updatePlan } from './updatePlan';
import { viewImage } from './viewImage';

/** `openSandbox`: what commands and patches of a new thread may write to; its folders are those that exist at that moment. */
export type BuiltInDeps = ShellDeps & { readImage: ReadImage; openSandbox: (config: Config) => SessionSandbox };

/** The rows for a new thread with this configuration, in the order in which they are offered to a model. */
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
 * Models that were trained on `local_shell` get that, unless they may ask for more rights, which it cannot express.
 * Source: Codex 0.28.0, CORE 4.3.
 */
const shellForm = ({ model, approvalPolicy }: Config): ShellSettings['form'] =>
  model.startsWith('codex-mini-latest') && approvalPolicy !== 'on-request' ? 'local_shell' : 'function';

/** Run by the provider, so it is never called here. */
const webSearch: ToolRow = { spec: { type: 'web_search_preview' }, names: [], assess: () => EMPTY };
