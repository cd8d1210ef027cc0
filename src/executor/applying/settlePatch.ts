/** Settles a patch whose process was killed: it is completed, rolled back, or left as it is if people have changed its files since. */
import { isSystemError } from '../systemErrors';
import type { OpenFolder, StoredJournal } from './disk';
import { openFolders } from './fileSteps';
import type { Digest, Journal, JournalEntry } from './journal';
import {
  digestOf,
  isSameFile,
  type Leftover,
  type RollBackDeps,
  removeIfThere,
  rollBack,
  settleEntries,
} from './rollBack';

/** The disk, and the history of repositories on it. */
export type SettleDeps = RollBackDeps & {
  /** Whether a repository that holds one of these folders got a commit after this time, in ms since 1970. */
  committedSince: (folders: readonly string[], sinceMs: number) => Promise<boolean>;
};

/** The outcome of a patch, and the exceptions to it. */
type Settled = { outcome: 'completed' | 'rolled back' | 'left as it is'; leftovers: Leftover[] };

/** @param sinceMs when the journal was written */
export const settlePatch = async (
  deps: SettleDeps,
  journal: Journal,
  { phase, sinceMs }: { phase: StoredJournal['phase']; sinceMs: number },
): Promise<Settled> => {
  const { entries } = journal;
  if (phase === 'committed' || isComplete(await tracesOf(deps, entries))) {
    return { outcome: 'completed', leftovers: await rollBack(deps, journal, 'committed') };
  }
  const folders = [...new Set(entries.map(({ folder }) => folder))];
  if (!(await deps.committedSince(folders, sinceMs))) {
    return { outcome: 'rolled back', leftovers: await rollBack(deps, journal, 'open') };
  }
  return { outcome: 'left as it is', leftovers: await settleEntries(deps, entries, leave(deps.digest)) };
};

/** What a file shows of the patch. `new`: it was replaced. `gone`: its folder, or the added file, is missing. `old`: it was not replaced. */
type Trace = 'new' | 'gone' | 'old';

/** Files are replaced in order, so a missing file before a replaced one has been removed since. */
const isComplete = (traces: readonly Trace[]): boolean => {
  const last = traces.lastIndexOf('new');
  return last >= 0 && traces.every((trace, at) => trace === 'new' || (trace === 'gone' && at <= last));
};

const tracesOf = async ({ disk, digest }: RollBackDeps, entries: readonly JournalEntry[]): Promise<Trace[]> => {
  const folders = openFolders(disk);
  try {
    const traces: Trace[] = [];
    for (const entry of entries) traces.push(await traceIn(() => folders.at(entry.folder), entry, digest));
    return traces;
  } finally {
    await folders.close();
  }
};

const traceIn = async (open: () => Promise<OpenFolder>, entry: JournalEntry, digest: Digest): Promise<Trace> => {
  try {
    return await traceOf(await open(), entry, digest);
  } catch (error) {
    return isSystemError(error, 'ENOENT') ? 'gone' : 'old';
  }
};

const traceOf = async (folder: OpenFolder, entry: JournalEntry, digest: Digest): Promise<Trace> => {
  const { name, kept, staged, oldDigest, newDigest } = entry;
  if (newDigest === null && (await folder.entry(kept))) return 'new';
  if ((await digestOf(folder, name, digest)) === newDigest) return 'new';
  if (oldDigest === null) return (await folder.entry(name)) ? 'new' : 'gone'; // a patch overwrites no file that it adds
  const isReplaced = (await folder.entry(kept)) !== undefined && (await folder.entry(staged)) === undefined;
  return newDigest !== null && isReplaced ? 'new' : 'old';
};

/** Leaves a file, and removes its staged content; the content before the patch stays if it is nowhere else. */
const leave =
  (digest: Digest) =>
  async (folder: OpenFolder, entry: JournalEntry): Promise<string | undefined> => {
    const { name, kept, staged, oldDigest } = entry;
    await removeIfThere(folder, staged);
    if ((await folder.entry(kept)) === undefined) return undefined;
    const isOld = (await isSameFile(folder, name, kept)) || (await digestOf(folder, name, digest)) === oldDigest;
    if (!isOld) return `it was committed since; its content before the patch is in ${kept}`;
    await folder.remove(kept);
    return undefined;
  };
