/** Finishes what a killed process has left half done. */
import type { Log } from '../../log';
import type { Journals, StoredJournal } from './disk';
import { readJournal } from './journal';
import { type RollBackDeps, rollBack } from './rollBack';
import { systemText } from './systemText';

/** `isAlive`: whether the process with this id is running on this host. */
export type RecoverDeps = RollBackDeps & {
  journals: Journals;
  owner: { host: string };
  isAlive: (pid: number) => boolean;
  log: Log;
};

/**
 * Rolls back every patch whose process ended before all files were in place, and tidies up after those that were complete. Patches of other hosts
 * that share the folder of journals are left alone. Always resolves; what could not be done is logged.
 */
export const recoverPatches = async (deps: RecoverDeps): Promise<void> => {
  for (const stored of await listJournals(deps)) {
    try {
      await recover(deps, stored);
    } catch (error) {
      deps.log('error', 'a patch that was interrupted could not be rolled back', {
        id: stored.id,
        reason: systemText(error),
      });
    }
  }
};

const listJournals = async ({ journals, log }: RecoverDeps): Promise<StoredJournal[]> => {
  try {
    return await journals.list();
  } catch (error) {
    log('warning', 'journals of interrupted patches could not be read', { reason: systemText(error) });
    return [];
  }
};

const recover = async (deps: RecoverDeps, { id, phase, text }: StoredJournal): Promise<void> => {
  const { journals, owner, isAlive, log } = deps;
  const journal = readJournal(text);
  if (journal && (journal.host !== owner.host || isAlive(journal.pid))) return;
  const leftovers = journal ? await rollBack(deps, journal, phase) : [];
  if (journal && phase === 'open') {
    log('warning', 'a patch that was interrupted was rolled back', { id, files: journal.entries.length, leftovers });
  }
  await journals.remove(id);
};
