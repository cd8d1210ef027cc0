/** Writes the journal that allows a patch to be undone when this process is killed. */
import type { Log } from '../../protocol/log';
import { attempt } from './attempt';
import type { Journals } from './disk';
import type { Journal } from './journal';
import type { PatchStep } from './steps';

/** @param journals where it is kept */
export type OpenJournalDeps = { journals: Journals; log: Log };

/** The journal of a patch in progress. `commit`: from here on the patch counts as applied. `remove`: nothing is left to do, so the journal goes. */
export type OpenJournal = { commit: PatchStep; remove: () => Promise<void> };

/**
 * Writes the journal of a patch. If it cannot be written, the patch continues without one: it is still rolled back when something fails, but not if
 * the process is killed.
 */
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
