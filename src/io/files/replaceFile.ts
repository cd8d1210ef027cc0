/**
 * Replaces a private file as a whole. Own code: `write-file-atomic` follows a link of that name, keeps the mode of the old file, and leaves its draft
 * behind when it is killed.
 */
import { basename, dirname } from 'node:path';
import { createFile } from './createFile';
import { toFileError } from './fileError';
import { type DraftDeps, draftOf, dropOldDrafts } from './oldDrafts';
import { makeFolder } from './privateFolder';
import { syncFolder } from './syncFolder';

/**
 * Writes a file (0600) so that readers see the old text or the new one, also after a crash. A link of this name is replaced, not
 * followed. Throws FileError, and leaves the old file then. Drafts of this file that a crash left are removed.
 */
export const replaceFile = (deps: DraftDeps, path: string, text: string): void => {
  const { fs } = deps;
  const draft = draftOf(deps, path);
  try {
    makeFolder(deps, dirname(path));
    createFile(fs, draft, { text, until: 'disk' });
    fs.renameSync(draft, path);
    syncFolder(fs, dirname(path));
    dropOldDrafts(deps, dirname(path), `${basename(path)}.`);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw toFileError(path, 'cannot be written', error);
  }
};
