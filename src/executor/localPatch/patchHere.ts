/** Patches on the disk of this machine. */
import { createHash, randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { filesHere } from '../../io/disk/filesHere';
import { isOwnFolder } from '../../io/disk/namedHere';
import type { Log } from '../../protocol/log';
import { type ApplyDeps, applyPatch } from '../applying/applyPatch';
import type { Journal } from '../applying/journal';
import { recoverPatches } from '../applying/recoverPatches';
import { rollBack } from '../applying/rollBack';
import { settlePatch } from '../applying/settlePatch';
import type { PatchToSettle } from '../files';
import { checkPatch } from '../patch/checkPatch';
import { committedSince } from './committedSince';
import { localDisk } from './localDisk';
import { localJournals } from './localJournals';
import { look } from './look';

/** `codexHome` is an absolute path: journals of patches lie in it. */
export type PatchHereDeps = { codexHome: string; platform: string; log: Log };

/**
 * `check`: what a patch would do in a folder; `apply`: applies it; `recover`: settles the patches that killed processes have left half done;
 * `settle`: settles one patch by its journal, which the caller keeps.
 */
export type PatchHere = {
  check: ReturnType<typeof checkPatch>;
  apply: ReturnType<typeof applyPatch>;
  recover: () => Promise<void>;
  settle: (journal: Journal, how: Omit<PatchToSettle, 'journal'>) => Promise<void>;
};

/** The patches of this process. Call it once, so that all of them run one after another. */
export const patchHere = ({ codexHome, platform, log }: PatchHereDeps): PatchHere => {
  const { files, owners } = filesHere(codexHome);
  const deps: ApplyDeps = {
    disk: localDisk({ platform }),
    journals: localJournals({ files, isOwn: isOwnFolder }, join(codexHome, 'codex-rx', 'patches')),
    digest: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    newId: () => randomBytes(8).toString('hex'),
    owners,
    reported: new Set(),
    committedSince,
    log,
  };
  const recover = () => recoverPatches(deps);
  return { check: checkPatch({ look, isFolder, recover }), apply: applyPatch(deps), recover, settle: settleIn(deps) };
};

const settleIn =
  (deps: ApplyDeps): PatchHere['settle'] =>
  async (journal, { phase, sinceMs }) => {
    const { id } = journal;
    const leftovers =
      phase === 'interrupted'
        ? (await settlePatch(deps, journal, { phase: 'open', sinceMs })).leftovers
        : await rollBack(deps, journal, phase);
    if (leftovers.length > 0) deps.log('warning', 'a patch could not be settled as a whole', { id, leftovers });
  };

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // whatever the reason: nothing can be patched there
  }
};
