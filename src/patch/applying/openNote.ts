/** Writes the note that allows a patch to be undone when this process is killed. */
import type { Log } from '../../log';
import { attempt } from './attempt';
import type { Journals } from './disk';
import type { Journal } from './journal';
import type { PatchStep } from './steps';

export type NoteDeps = { journals: Journals; log: Log };

/** `commit`: from here on the patch counts as applied. `remove`: nothing is left to do, so the note goes. */
export type Note = { commit: PatchStep; remove: () => Promise<void> };

/**
 * Writes the note of a patch. If it cannot be written, the patch continues without one: it is still rolled back when something fails, but not if
 * the process is killed.
 */
export const openNote = async ({ journals, log }: NoteDeps, journal: Journal): Promise<Note> => {
  const { id } = journal;
  const failure = 'Failed to write the note of the patch';
  const reason = await attempt(() => journals.write(id, JSON.stringify(journal)));
  if (reason !== undefined) {
    log('warning', 'a patch is applied without a note, so a kill in the middle could leave it half done', { reason });
    return { commit: { failure, run: async () => {} }, remove: async () => {} };
  }
  const remove = async () => {
    const trouble = await attempt(() => journals.remove(id));
    if (trouble !== undefined) log('warning', 'the note of a patch could not be removed', { id, reason: trouble });
  };
  return { commit: { failure, run: () => journals.commit(id) }, remove };
};
