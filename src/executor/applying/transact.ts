/** Applies a plan to the disk: all of it, or nothing. */
import { dirname } from 'node:path';
import type { Owners } from '../../io/files/owner';
import type { FilePlan, Plan } from '../patch/plan';
import { attempt } from './attempt';
import { failureOf, folderFailure } from './failureOf';
import type { FileStep } from './fileSteps';
import { type Journal, toEntry } from './journal';
import { type OpenFolders, openFolders } from './openFolders';
import { type OpenJournal, type OpenJournalDeps, openJournal } from './openJournal';
import { type Leftover, type RollBackDeps, rollBack } from './rollBack';
import { type MissingFolder, runSteps, stepsOf } from './steps';

/** `newId`: a name that no other patch has. `owners`: this process, as others can recognise it. */
export type TransactDeps = RollBackDeps & OpenJournalDeps & { newId: () => string; owners: Pick<Owners, 'self'> };

/**
 * `mayWrite`: whether the file at an absolute path without links may be changed. `within`: the patch is also confined by its thread's sandbox;
 * for a remote executor, which enforces that itself. `journalId`: the id of the journal that the requester keeps; what is left beside
 * the files then stays until that journal is settled.
 */
export type PatchOrder = { plan: Plan; mayWrite: (real: string) => boolean; within?: 'sandbox'; journalId?: string };

/** `message`: what went wrong, and what became of the files. */
export type PatchOutcome = { kind: 'applied'; summary: string } | { kind: 'failed'; message: string };

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

/** Why a patch cannot be applied, as far as that is known without trying; undefined where no reason is known. */
export const refusalOf = (order: PatchOrder): string | undefined => order.plan.obstacle ?? forbidden(order);

const forbidden = ({ plan, mayWrite }: PatchOrder): string | undefined => {
  const file = plan.files.find(({ real }) => !mayWrite(real));
  return file && `${failureOf(file)}: ${file.real} is outside the folders that may be written. ${NOTHING_CHANGED}`;
};

const isChanged = ({ before, after }: FilePlan): boolean =>
  !before || !after || Buffer.compare(before.bytes, after.bytes) !== 0;

/** The files whose content changes; only these appear in a journal. */
export const changedFiles = (files: readonly FilePlan[]): FilePlan[] => files.filter(isChanged);

type Course = { files: readonly FilePlan[]; folders: OpenFolders; signal: AbortSignal; journalId: string | undefined };

/** The journal where the requester keeps it. */
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

/** The folders that files still need, outermost first; or why one of them cannot be made. */
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
