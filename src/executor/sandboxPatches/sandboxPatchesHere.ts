/** Wires the journals of patches in sandboxes to this machine; loaded by the first of them. */
import { randomBytes } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { filesHere } from '../../io/disk/filesHere';
import { isOwnFolder } from '../../io/disk/namedHere';
import type { Log } from '../../protocol/log';
import { localJournals } from '../localPatch/localJournals';
import { type SandboxPatches, type SandboxPatchesDeps, sandboxPatches } from './sandboxPatches';

/** The place of the journals, and the servers in sandboxes. */
type SandboxPatchesHereDeps = {
  /** An absolute path. */
  codexHome: string;
  /** The folder of the journals. */
  folder: string;
  log: Log;
} & Pick<SandboxPatchesDeps, 'insideOf'>;

export const sandboxPatchesHere = ({ codexHome, folder, log, insideOf }: SandboxPatchesHereDeps): SandboxPatches => {
  const { files, owners } = filesHere(codexHome);
  return sandboxPatches({
    journals: localJournals({ files, isOwn: isOwnFolder }, folder),
    owners,
    newId: () => randomBytes(8).toString('hex'),
    isThere: (path) =>
      lstat(path).then(
        () => true,
        () => false, // whatever the reason: the patch makes it, or fails
      ),
    insideOf,
    log,
  });
};
