/** Wires the journals of patches in sandboxes to this machine; loaded by the first of them. */
import { randomBytes } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../../log';
import { localJournals } from '../../applyPatch';
import { filesHere, isOwnFolder } from '../../files';
import { type SandboxPatches, type SandboxPatchesDeps, sandboxPatches } from './sandboxPatches';

/** `codexHome`: absolute. */
export type SandboxPatchesHereDeps = { codexHome: string; log: Log } & Pick<SandboxPatchesDeps, 'insideOf'>;

/** Where the journals are; those of patches without a sandbox are elsewhere, as every process of this user may roll those back. */
export const journalsFolder = (codexHome: string): string => join(codexHome, 'codex-rx', 'patches-inside');

export const sandboxPatchesHere = ({ codexHome, log, insideOf }: SandboxPatchesHereDeps): SandboxPatches => {
  const { files, self, startOf } = filesHere(codexHome, process.pid);
  return sandboxPatches({
    journals: localJournals({ files, isOwn: isOwnFolder }, journalsFolder(codexHome)),
    self,
    newId: () => randomBytes(8).toString('hex'),
    isAlive: ({ pid, start }) => startOf(pid) === start,
    isThere: (path) =>
      lstat(path).then(
        () => true,
        () => false, // whatever the reason: the patch makes it, or fails
      ),
    insideOf,
    log,
  });
};
