/** What is done on the disk to apply a patch, one thing after another. */

import type { FilePlan } from '../planning/plan';
import { attempt } from './attempt';
import type { OpenFolder } from './disk';
import { failureOf, folderFailure } from './failureOf';
import { type FileStep, keep, stage, swap } from './fileSteps';
import type { Digest } from './journal';
import type { OpenFolders } from './openFolders';

/** `failure`: the text before the system's reason, when it does not succeed. */
export type PatchStep = { failure: string; run: () => Promise<void> };

/** A folder that must be made, and a file that needs it. */
export type MissingFolder = { path: string; plan: FilePlan };

export type StepDeps = { folders: OpenFolders; missing: readonly MissingFolder[]; digest: Digest };

/**
 * The steps of a patch. Folders are made; every new content is put beside its file; every old content gets a second name and is
 * checked to be what the patch was made for. Only then do files change, each at once. All that takes room on the disk comes before.
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

/** Undefined when all steps were done; else why the first of them was not. After a stop none is begun. */
export const runSteps = async (steps: readonly PatchStep[], signal: AbortSignal): Promise<string | undefined> => {
  for (const { failure, run } of steps) {
    if (signal.aborted) return 'The patch was stopped';
    const reason = await attempt(run);
    if (reason !== undefined) return `${failure}: ${reason}`;
  }
  return undefined;
};
