/** Replaces a private file as a whole. */
import { dirname } from 'node:path';
import { createFile } from './createFile';
import { toFileError } from './fileError';
import type { FileDeps } from './fileSystem';
import { makeFolder } from './privateFolder';
import { syncFolder } from './syncFolder';

/** @param newName makes a part of a name that nobody else uses */
export type ReplaceDeps = FileDeps & { newName: () => string };

/**
 * Writes a file (0600) so that readers see the old text or the new one, also after a crash. A link of this name is replaced, not
 * followed. Throws FileError, and leaves the old file then.
 */
export const replaceFile = (deps: ReplaceDeps, path: string, text: string): void => {
  const { fs } = deps;
  const draft = `${path}.${deps.newName()}.new`;
  try {
    makeFolder(deps, dirname(path));
    createFile(fs, draft, { text, until: 'disk' });
    fs.renameSync(draft, path);
    syncFolder(fs, dirname(path));
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw toFileError(path, 'cannot be written', error);
  }
};
