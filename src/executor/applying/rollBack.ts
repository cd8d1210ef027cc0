/** Rolls back a patch that was not completed, or tidies up after a complete one. */
import { basename, dirname } from 'node:path';
import { isSystemError, systemText } from '../systemErrors';
import type { Disk, OpenFolder, StoredJournal } from './disk';
import { type OpenFolders, openFolders } from './fileSteps';
import type { Digest, Journal, JournalEntry } from './journal';

export type RollBackDeps = { disk: Disk; digest: Digest };

/** A file that could not be restored to its old content, or a folder that is still there; and why. */
export type Leftover = { path: string; reason: string };

/**
 * Restores every file of a patch to its old content (`open`), or removes what the patch left next to its files (`committed`). Can be
 * repeated after each interruption. A file that was written again since stays as it is. Returns what could not be done.
 */
export const rollBack = async (
  deps: RollBackDeps,
  journal: Journal,
  phase: StoredJournal['phase'],
): Promise<Leftover[]> => {
  const leftovers = await settleEntries(deps, journal.entries, phase === 'open' ? restore(deps.digest) : tidyUp);
  return phase === 'open' ? [...leftovers, ...(await removeFolders(deps, journal.folders))] : leftovers;
};

/** Settles the entries of a patch, the last one first. Returns what could not be done. */
export const settleEntries = async (
  { disk }: Pick<RollBackDeps, 'disk'>,
  entries: readonly JournalEntry[],
  settle: Settle,
): Promise<Leftover[]> => {
  const folders = openFolders(disk);
  try {
    const leftovers: Leftover[] = [];
    for (const entry of [...entries].reverse()) leftovers.push(...(await settleEntry(folders, entry, settle)));
    return leftovers;
  } finally {
    await folders.close();
  }
};

/** Why an entry could not be settled; undefined if it could. */
type Settle = (folder: OpenFolder, entry: JournalEntry) => Promise<string | undefined>;

const settleEntry = async (folders: OpenFolders, entry: JournalEntry, settle: Settle): Promise<Leftover[]> => {
  try {
    const reason = await settle(await folders.at(entry.folder), entry);
    return reason === undefined ? [] : [{ path: `${entry.folder}/${entry.name}`, reason }];
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return []; // the folder was not made yet, or is gone
    return [{ path: `${entry.folder}/${entry.name}`, reason: systemText(error) }];
  }
};

const restore =
  (digest: Digest): Settle =>
  async (folder, entry) => {
    const { kept, staged } = entry;
    const reason = (await folder.entry(kept))
      ? await restoreOld(folder, entry, digest)
      : await removeNew(folder, entry, digest);
    await removeIfThere(folder, staged);
    await folder.sync();
    return reason;
  };

/** The old content has a name of its own: the file's own name shows whether the new content has replaced it. */
const restoreOld = async (folder: OpenFolder, entry: JournalEntry, digest: Digest): Promise<string | undefined> => {
  const { name, kept, oldDigest, newDigest } = entry;
  const current = (await isSameFile(folder, name, kept)) ? oldDigest : await digestOf(folder, name, digest);
  if (current === oldDigest) await folder.remove(kept);
  else if (current === newDigest || current === null) await folder.rename(kept, name);
  else return `it was written again; its content before the patch is in ${kept}`;
  return undefined;
};

/** A new file is ours if its staged name leads to the same file; without hard links its content decides. */
const removeNew = async (folder: OpenFolder, entry: JournalEntry, digest: Digest): Promise<undefined> => {
  const { name, staged, oldDigest, newDigest } = entry;
  if (oldDigest !== null || newDigest === null) return;
  const [there, waiting] = [await folder.entry(name), await folder.entry(staged)];
  const isOurs = waiting ? waiting.id === there?.id : (await digestOf(folder, name, digest)) === newDigest;
  if (isOurs) await folder.remove(name);
};

/** Whether two names lead to the same file, or both to nothing. */
export const isSameFile = async (folder: OpenFolder, name: string, other: string): Promise<boolean> =>
  (await folder.entry(name))?.id === (await folder.entry(other))?.id;

/** Null if there is no file; for something other than a file, a digest that no file has. */
export const digestOf = async (folder: OpenFolder, name: string, digest: Digest): Promise<string | null> => {
  const entry = await folder.entry(name);
  if (entry === undefined) return null;
  return entry.kind === 'file' ? digest(await folder.read(name)) : entry.kind;
};

const tidyUp: Settle = async (folder, { staged, kept }) => {
  await removeIfThere(folder, staged);
  await removeIfThere(folder, kept);
  return undefined;
};

/** Removes a file of this name, if there is one. */
export const removeIfThere = async (folder: OpenFolder, name: string): Promise<void> => {
  if (await folder.entry(name)) await folder.remove(name);
};

/** Removes folders, innermost first; a folder that is not empty stays. */
const removeFolders = async ({ disk }: Pick<RollBackDeps, 'disk'>, paths: readonly string[]): Promise<Leftover[]> => {
  const folders = openFolders(disk);
  const leftovers: Leftover[] = [];
  for (const path of [...paths].reverse()) {
    try {
      await (await folders.at(dirname(path))).removeFolder(basename(path));
    } catch (error) {
      if (!isSystemError(error, ...NOT_OURS)) leftovers.push({ path, reason: systemText(error) });
    }
  }
  await folders.close();
  return leftovers;
};

/** A folder that is gone, or in use, or was replaced by something else. */
const NOT_OURS = ['EEXIST', 'ELOOP', 'ENOENT', 'ENOTDIR', 'ENOTEMPTY'];
