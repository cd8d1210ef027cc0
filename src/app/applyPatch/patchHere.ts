/** Patches on the disk of this machine. */
import { createHash, randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../log';
import {
  type ApplyDeps,
  applyPatch,
  checkPatch,
  type Journal,
  recoverPatches,
  rollBack,
  type StoredJournal,
} from '../../patch';
import { filesHere, isOwnFolder } from '../files';
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
  settle: (journal: Journal, phase: StoredJournal['phase']) => Promise<void>;
};

/** The patches of this process. Call it once, so that all of them run one after another. */
export const patchHere = ({ codexHome, platform, log }: PatchHereDeps): PatchHere => {
  const { files } = filesHere(codexHome, process.pid);
  const deps: ApplyDeps = {
    disk: localDisk({ platform }),
    journals: localJournals({ files, isOwn: isOwnFolder }, join(codexHome, 'codex-rx', 'patches')),
    digest: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    newId: () => randomBytes(8).toString('hex'),
    owner: { host: hostname(), pid: process.pid },
    isAlive,
    log,
  };
  const recover = () => recoverPatches(deps);
  const settle: PatchHere['settle'] = async (journal, phase) => {
    const leftovers = await rollBack(deps, journal, phase);
    if (leftovers.length > 0) log('warning', 'a patch could not be settled as a whole', { id: journal.id, leftovers });
  };
  return { check: checkPatch({ look, isFolder, recover }), apply: applyPatch(deps), recover, settle };
};

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // whatever the reason: nothing can be patched there
  }
};

/** A process of another user cannot be signalled, but it lives. */
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
