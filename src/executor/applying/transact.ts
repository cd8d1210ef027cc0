/** Applies a plan to the disk: all of it, or nothing. */
import { dirname } from 'node:path';
import type { Owners } from '../../io/files/owner';
import type { Log } from '../../protocol/log';
import type { FilePlan, Plan } from '../patch/plan';
import type { Editor } from '../patch/seen';
import { systemText } from '../systemErrors';
import type { Journals, OpenFolder } from './disk';
import { failureOf, folderFailure } from './failureOf';
import { type FileStep, keep, type OpenFolders, openFolders, stage, swap } from './fileSteps';
import { type Digest, type Journal, toEntry } from './journal';
import { type Leftover, type RollBackDeps, rollBack } from './rollBack';

/** What a transaction works on. */
export type TransactDeps = RollBackDeps &
  OpenJournalDeps & {
    /** A name that no other patch has. */
    newId: () => string;
    /** This process, as other processes can recognise it. */
    owners: Pick<Owners, 'self'>;
  };

/** A plan to apply, and how. */
export type PatchOrder = {
  plan: Plan;
  /** Whether the file at an absolute path without links may be changed. */
  mayWrite: (real: string) => boolean;
  /** The sandbox of the thread confines the patch too; a remote executor enforces that itself. */
  within?: 'sandbox';
  /** The id of the journal that the requester keeps. The old files stay next to the new ones until that journal is settled. */
  journalId?: string;
  /** Files that were read through it are written through it. */
  editor?: Editor;
};

/** The result of a patch. */
export type PatchOutcome =
  | { kind: 'applied'; summary: string }
  | {
      kind: 'failed';
      /** What went wrong, and what became of the files. */
      message: string;
    };

/** Applies a plan. Always resolves; a signal that is aborted before all files are in place rolls everything back. */
export const transact = async (deps: TransactDeps, order: PatchOrder, signal: AbortSignal): Promise<PatchOutcome> => {
  const { plan } = order;
  const folders = openFolders(deps.disk);
  try {
    const files = changedFiles(plan.files);
    const message = refusalOf(order) ?? (await change(deps, { files, folders, signal, journalId: order.journalId }));
    return message === undefined ? { kind: 'applied', summary: plan.summary } : { kind: 'failed', message };
  } finally {
    await folders.close();
  }
};

/** Why a patch cannot be applied, if that is known without trying; otherwise undefined. */
export const refusalOf = (order: PatchOrder): string | undefined => order.plan.obstacle ?? forbidden(order);

const forbidden = ({ plan, mayWrite }: PatchOrder): string | undefined => {
  const file = plan.files.find(({ real }) => !mayWrite(real));
  return file && `${failureOf(file)}: ${file.real} is outside the folders that may be written. ${NOTHING_CHANGED}`;
};

/** The files whose content changes; only these appear in a journal. */
export const changedFiles = <
  F extends { before?: { bytes: Uint8Array } | undefined; after?: { bytes: Uint8Array } | undefined },
>(
  files: readonly F[],
): F[] => files.filter(({ before, after }) => !before || !after || Buffer.compare(before.bytes, after.bytes) !== 0);

type Course = { files: readonly FilePlan[]; folders: OpenFolders; signal: AbortSignal; journalId: string | undefined };

/** The steps of a journal that the requester keeps: nothing to do here. */
const JOURNAL_ELSEWHERE: OpenJournal = {
  commit: { failure: 'Failed to write the journal of the patch', run: async () => {} },
  remove: async () => {},
};

/** Undefined when everything succeeded. */
const change = async (
  deps: TransactDeps,
  { files, folders, signal, journalId }: Course,
): Promise<string | undefined> => {
  const { digest, newId, owners } = deps;
  const id = journalId ?? newId();
  const missing = await missingFolders(folders, files);
  if (typeof missing === 'string') return `${missing}. ${NOTHING_CHANGED}`;
  const all = files.map((plan, index): FileStep => ({ plan, entry: toEntry(id, digest, { plan, index }) }));
  const entries = all.map(({ entry }) => entry);
  const journal: Journal = { ...owners.self(), version: 1, id, folders: missing.map(({ path }) => path), entries };
  const open = journalId === undefined ? await openJournal(deps, journal) : JOURNAL_ELSEWHERE;
  const failure = await runSteps([...stepsOf(all, { folders, missing, digest }), open.commit], signal);
  if (journalId !== undefined && failure === undefined) return undefined;
  const leftovers = await rollBack(deps, journal, failure === undefined ? 'committed' : 'open');
  if (leftovers.length === 0) await open.remove();
  return failure && `${failure}. ${consequence(leftovers)}`;
};

/** The folders that files still need, outermost first; or why a folder cannot be made. */
const missingFolders = async (folders: OpenFolders, files: readonly FilePlan[]): Promise<MissingFolder[] | string> => {
  const missing = new Map<string, MissingFolder>();
  for (const plan of files) {
    const reason = await attempt(async () => {
      for (const path of await folders.missing(dirname(plan.real)))
        missing.set(path, missing.get(path) ?? { path, plan });
    });
    if (reason !== undefined) return `${folderFailure(plan)}: ${reason}`;
  }
  return [...missing.values()].sort((a, b) => a.path.length - b.path.length);
};

const NOTHING_CHANGED = 'No file was changed';

const consequence = (leftovers: readonly Leftover[]): string =>
  leftovers.length === 0
    ? NOTHING_CHANGED
    : `These files could not be brought back: ${leftovers.map(({ path, reason }) => `${path} (${reason})`).join(', ')}`;

type OpenJournalDeps = { journals: Journals; log: Log };

type OpenJournal = {
  /** Marks the patch as applied. */
  commit: PatchStep;
  /** Removes the journal of a patch that is settled. */
  remove: () => Promise<void>;
};

/** Writes the journal of a patch. Without one the patch is still rolled back when something fails, but not if the process is killed. */
export const openJournal = async ({ journals, log }: OpenJournalDeps, journal: Journal): Promise<OpenJournal> => {
  const { id } = journal;
  const failure = 'Failed to write the journal of the patch';
  const reason = await attempt(() => journals.write(id, JSON.stringify(journal)));
  if (reason !== undefined) {
    log('warning', 'a patch is applied without a journal, so a kill in the middle could leave it half done', {
      reason,
    });
    return { commit: { failure, run: async () => {} }, remove: async () => {} };
  }
  const remove = async () => {
    const trouble = await attempt(() => journals.remove(id));
    if (trouble !== undefined) log('warning', 'the journal of a patch could not be removed', { id, reason: trouble });
  };
  return { commit: { failure, run: () => journals.commit(id) }, remove };
};

/** One step of a patch. */
export type PatchStep = {
  /** The text before the system's reason if the step fails. */
  failure: string;
  run: () => Promise<void>;
};

/** A folder that must be made, and a file that needs it. */
type MissingFolder = { path: string; plan: FilePlan };

type StepDeps = { folders: OpenFolders; missing: readonly MissingFolder[]; digest: Digest };

/**
 * The steps of a patch. Folders are made; every new content is written next to its file; every old content gets a second name and must be the content for
 * which the patch was made. Only then do files change, each atomically. Everything that takes disk space comes before that.
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

/** Why something could not be done, in the system's error text; undefined if it was done. */
export const attempt = async (run: () => Promise<void>): Promise<string | undefined> => {
  try {
    await run();
    return undefined;
  } catch (error) {
    return systemText(error);
  }
};
