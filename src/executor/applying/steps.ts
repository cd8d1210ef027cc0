/** The steps on the disk that apply a patch, one after another. */

import type { FilePlan } from '../patch/plan';
import { attempt } from './attempt';
import type { OpenFolder } from './disk';
import { failureOf, folderFailure } from './failureOf';
import { type FileStep, keep, stage, swap } from './fileSteps';
import type { Digest } from './journal';
import type { OpenFolders } from './openFolders';

/** `failure`: the text before the system's reason if the step fails. */
export type PatchStep = { failure: string; run: () => Promise<void> };

/** A folder that must be made, and a file that needs it. */
export type MissingFolder = { path: string; plan: FilePlan };

export type StepDeps = { folders: OpenFolders; missing: readonly MissingFolder[]; digest: Digest };

/**
 * The steps of a patch. Folders are made; every new content is put beside its file; every old content gets a second name and is
 * checked to be the one for which the patch was made. Only then do files change, each atomically. Everything that takes disk space comes before that.
 */
export const stepsOf = (files: readonly FileStep[], { folders, missing, digest }: StepDeps): PatchStep[] => {
  const forEach = (run: (folder: OpenFolder, file: FileStep) => Promise<void>): PatchStep[] =>
    files.map((file) => ({
      failure: failureOf(file.plan),
      run: async () => run(await folders.at(file.entry.folder), file),
    }));
  return [
    ...missing.map(({ path, plan }) => ({ failure: folderFailure(plan), run: () => folders.make(path) })),
    ...forEach(stage),
    ...forEach(keep(digest)),
    ...forEach(swap(digest)),
    { failure: 'Failed to write the folders to the disk', run: async () => syncAll(folders) },
  ];
};

const syncAll = async (folders: OpenFolders): Promise<void> => {
  for (const folder of folders.all()) await folder.sync();
};

/** Undefined when all steps were done; otherwise why the first failure happened. After a stop no further step is begun. */
export const runSteps = async (steps: readonly PatchStep[], signal: AbortSignal): Promise<string | undefined> => {
  for (const { failure, run } of steps) {
    if (signal.aborted) return 'The patch was stopped';
    const reason = await attempt(run);
    if (reason !== undefined) return `${failure}: ${reason}`;
  }
  return undefined;
};
