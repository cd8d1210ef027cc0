/** The built-in tools, as rows of the table, and the small ones among them: `update_plan`, `apply_patch`, `view_image`. */
import { resolve } from 'node:path';
import { defer, EMPTY, mergeMap, type Observable, of } from 'rxjs';
import * as z from 'zod/mini';
import type { SessionSandbox } from '../../executor/sandbox/openSandboxes';
import type { Config } from '../../settings/config';
import { assessPatch, type PatchDeps, type PatchPlan, type PatchSettings, runPatch } from './patchCalls';
import { functionSpec, readArguments } from './readArguments';
import { type ShellDeps, type ShellSettings, shellTool } from './shellTool';
import { type Assessment, type Tool, type ToolEvent, type ToolRow, toRow } from './tool';

/** What the built-in tools need. */
export type BuiltInDeps = ShellDeps & {
  readImage: ReadImage;
  /** What commands and patches of a new thread may write to: folders that exist at that moment. */
  openSandbox: (config: Config) => SessionSandbox;
};

/** The rows for a new thread with this configuration, in the order in which they are offered to a model. */
export const builtInTools =
  ({ openSandbox, ...deps }: BuiltInDeps) =>
  (config: Config): ToolRow[] => {
    const sandbox = openSandbox(config);
    const {
      approvalPolicy: policy,
      sandboxMode: mode,
      cwd,
      shellEnvironment: environment,
      alwaysSandboxed,
      rules,
    } = config;
    const denied = config.protectedPaths?.denied ?? [];
    const shared = { policy, mode, alwaysSandboxed, editorPlaces: { folders: config.folders, denied } };
    return [
      toRow(shellTool(deps, { ...shared, cwd, environment, sandbox, rules, form: shellForm(config) })),
      toRow(applyPatchTool(deps, { ...shared, folder: cwd, mayWrite: sandbox.mayWrite })),
      ...(config.includePlanTool ? [toRow(updatePlan())] : []),
      ...(config.tools.webSearch ? [webSearch] : []),
      ...(config.tools.viewImage ? [toRow(viewImage({ readImage: deps.readImage, cwd, denied }))] : []),
    ];
  };

/** Models that were trained on `local_shell` get that, unless they may ask for more rights, which it cannot express. Source: Codex 0.28.0, CORE 4.3. */
const shellForm = ({ model, approvalPolicy }: Config): ShellSettings['form'] =>
  model.startsWith('codex-mini-latest') && approvalPolicy !== 'on-request' ? 'local_shell' : 'function';

/** Run by the provider, so it is never called here. */
const webSearch: ToolRow = { spec: { type: 'web_search_preview' }, names: [], assess: () => EMPTY };

const PlanArguments = z.strictObject({
  explanation: z.optional(z.string()),
  plan: z.array(z.strictObject({ step: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
});

/** The arguments with which a model calls update_plan. */
type PlanArguments = z.output<typeof PlanArguments>;

/** The tool as it is offered to a model. */
export const planSpec = functionSpec(
  'update_plan',
  'Shows the user the plan of the work, step by step. At most one step is in progress at a time.',
  PlanArguments,
);

/** The arguments, or what is wrong with them. */
export const readPlanArguments = (text: string): PlanArguments | string => readArguments(PlanArguments, text);

/** The tool `update_plan`: shows the plan; nobody has to be asked. Source: Codex 0.28.0, CORE 6.1. */
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

const PatchArguments = z.object({ input: z.string() });

const DESCRIPTION = `Changes files, all of them or none. \`input\` is a patch:
*** Begin Patch
*** Add File: PATH (then the lines of the new file, each after a +)
*** Update File: PATH (next line may be *** Move to: NEW PATH; then chunks)
@@ A LINE ABOVE, such as the head of the function, if the lines below occur more than once
 an unchanged line, after a blank; about three around each change
-a line to remove
+a line to add
*** Delete File: PATH
*** End Patch
Paths are relative to the working folder.`;

/** The tool as it is offered to a model. */
export const patchSpec = functionSpec('apply_patch', DESCRIPTION, PatchArguments);

export type PatchToolSettings = PatchSettings & {
  /** Absolute; relative paths of a patch refer to it. */
  folder: string;
};

/** The tool `apply_patch`: applies a patch, or asks first. A free-form call is a patch as it stands. Source: Codex 0.28.0, CORE 6.1. */
export const applyPatchTool = (deps: PatchDeps, settings: PatchToolSettings): Tool<PatchPlan> => ({
  spec: patchSpec(),
  textArgument: 'input',
  assess: ({ args, ...call }) => {
    const read = readArguments(PatchArguments, args);
    if (typeof read === 'string') return of({ verdict: 'refuse', output: read });
    return assessPatch(deps, settings)({ ...call, text: read.input, folder: settings.folder });
  },
  run: runPatch(deps, settings),
});

const ImageArguments = z.object({
  path: z.string().check(z.describe('The file; relative to the folder of the session. PNG, JPEG, GIF or WebP.')),
});

/** The tool as it is offered to a model. */
const imageSpec = functionSpec('view_image', 'Shows you an image file.', ImageArguments);

type ViewImageDeps = {
  readImage: ReadImage;
  /** The folder to which relative paths refer. */
  cwd: string;
  /** Files and folders of which nothing is read. */
  denied?: readonly string[];
};

/**
 * The tool `view_image`: the model looks at an image on the disk. Nobody has to be asked, because only images are read. If the image cannot be read,
 * the model reads why.
 * Source: Codex 0.28.0, CORE 6.1; there an image that could not be read was an empty message.
 */
export const viewImage = ({ readImage, cwd, denied }: ViewImageDeps): Tool<{ path: string }> => ({
  spec: imageSpec(),
  assess: ({ args }) => {
    const read = readArguments(ImageArguments, args);
    return of<Assessment<{ path: string }>>(
      typeof read === 'string' ? { verdict: 'refuse', output: read } : { verdict: 'run', plan: read, effect: 'reads' },
    );
  },
  run: ({ path }) =>
    defer(() => readImage(resolve(cwd, path), denied)).pipe(
      mergeMap((read): ToolEvent[] =>
        read.kind === 'image'
          ? [
              { kind: 'image', url: read.url },
              { kind: 'output', text: 'attached local image path' },
            ]
          : [{ kind: 'output', text: `err: the picture ${path} could not be read: ${read.reason}` }],
      ),
    ),
});

/** An image as a data URL, or why there is none. */
export type ImageRead = { kind: 'image'; url: string } | { kind: 'unreadable'; reason: string };

/** Reads the image at an absolute path, except at or below a denied one. Emits once; never errors. */
export type ReadImage = (path: string, denied?: readonly string[]) => Observable<ImageRead>;
