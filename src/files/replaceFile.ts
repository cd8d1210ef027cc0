/** Replaces a private file as a whole. */
import { dirname } from 'node:path';
import { toFileError } from './fileError';
import type { FileDeps } from './fileSystem';
import { openPrivate } from './openPrivate';

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
    writeDraft(deps, draft, text);
    fs.renameSync(draft, path);
    syncFolder(fs, dirname(path));
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw toFileError(path, 'cannot be written', error);
  }
};

/** Writes a new file and waits for the disk. */
export const writeDraft = (deps: FileDeps, path: string, text: string): void => {
  const { fs } = deps;
  const fd = openPrivate(deps, path, 'new');
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
};

/** Windows cannot open a folder, and has no need to. */
const syncFolder = (fs: FileDeps['fs'], folder: string): void => {
  const { O_RDONLY, O_DIRECTORY } = fs.constants;
  if (O_DIRECTORY === undefined) return;
  const fd = fs.openSync(folder, O_RDONLY | O_DIRECTORY);
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
};
