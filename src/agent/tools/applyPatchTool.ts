/** The tool `apply_patch`, which changes files. */
import { of } from 'rxjs';
import * as z from 'zod/mini';
import type { FunctionSpec } from '../../protocol/model/request';
import { lazy } from '../../streams/lazy/lazy';
import { assessPatch, type PatchDeps, type PatchPlan, type PatchSettings } from './patchCalls';
import { readArguments, toParameters } from './readArguments';
import { runPatch } from './runPatch';
import type { Tool } from './tool';

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

/** The tool as it is offered to a model; made once, because a JSON Schema takes time to make. */
export const patchSpec = lazy(
  (): FunctionSpec => ({
    type: 'function',
    name: 'apply_patch',
    description: DESCRIPTION,
    strict: false,
    parameters: toParameters(PatchArguments),
  }),
);

/** @param folder absolute; relative paths of a patch refer to it */
export type PatchToolSettings = PatchSettings & { folder: string };

/** Applies a patch, or asks first. A free-form call is a patch as it stands. Source: Codex 0.28.0, CORE 6.1. */
export const applyPatchTool = (deps: PatchDeps, settings: PatchToolSettings): Tool<PatchPlan> => ({
  spec: patchSpec(),
  textArgument: 'input',
  assess: ({ callId, args, isApproved }) => {
    const read = readArguments(PatchArguments, args);
    if (typeof read === 'string') return of({ verdict: 'refuse', output: read });
    return assessPatch(deps, settings)({ callId, isApproved, text: read.input, folder: settings.folder });
  },
  run: runPatch(deps, settings),
});
