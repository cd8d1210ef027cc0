/** Settles the patches that killed processes left half done. */
import type { Owners } from '../../io/files/owner';
import type { Log } from '../../protocol/log';
import { systemText } from '../systemErrors';
import type { Journals, StoredJournal } from './disk';
import { type Journal, readJournal } from './journal';
import { type SettleDeps, settlePatch } from './settlePatch';

/** The journals, and the processes that wrote them. */
export type RecoverDeps = SettleDeps & {
  journals: Journals;
  /** Whether the process of a journal is alive. */
  owners: Pick<Owners, 'stateOf' | 'nameOf' | 'forget'>;
  /** Ids of journals whose process may be alive or not; each is logged once. Changes in place. */
  reported: Set<string>;
  log: Log;
};

/**
 * Settles every patch whose process has ended: a complete patch is tidied up, any other is rolled back; a file that people have changed since stays. A patch
 * whose process is alive, or may be, is left alone. Always resolves; failures are logged.
 */
export const recoverPatches = async (deps: RecoverDeps): Promise<void> => {
  try {
    if ((await leftIn(deps)).length === 0) return;
    const release = await deps.journals.claim();
    if (release === undefined)
      return deps.log('warning', 'another process settles interrupted patches for a long time');
    try {
      for (const stored of await leftIn(deps)) await settleStored(deps, stored);
    } finally {
      release();
    }
  } catch (error) {
    deps.log('warning', 'journals of interrupted patches could not be read', { reason: systemText(error) });
  }
};

/** The journal of a process that has ended; undefined for a text that is no journal. */
type Left = StoredJournal & { journal: Journal | undefined };

const leftIn = async (deps: RecoverDeps): Promise<Left[]> =>
  (await deps.journals.list())
    .map((stored) => ({ ...stored, journal: readJournal(stored.text) }))
    .filter(({ journal }) => journal === undefined || hasEnded(deps, journal));

const hasEnded = ({ owners, reported, log }: RecoverDeps, journal: Journal): boolean => {
  const state = owners.stateOf(journal);
  if (state === 'unknown' && !reported.has(journal.id)) {
    reported.add(journal.id);
    log('warning', 'a patch may be interrupted: whether its process still runs cannot be known from here', {
      id: journal.id,
      process: owners.nameOf(journal),
      files: journal.entries.length,
      remedy: 'if it has ended, start codex-rx once where it ran, which settles the patch',
    });
  }
  return state === 'ended';
};

const settleStored = async (deps: RecoverDeps, { id, phase, writtenMs, journal }: Left): Promise<void> => {
  const { journals, owners, log } = deps;
  try {
    if (journal !== undefined) {
      const { outcome, leftovers } = await settlePatch(deps, journal, { phase, sinceMs: writtenMs });
      if (phase === 'open') {
        const text = `a patch that was interrupted is ${outcome}`;
        log('warning', text, { id, files: journal.entries.length, leftovers });
      }
      owners.forget(journal);
    }
    await journals.remove(id);
  } catch (error) {
    log('error', 'a patch that was interrupted could not be settled', { id, reason: systemText(error) });
  }
};
