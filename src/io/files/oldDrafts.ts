/** Drafts of files whose process was killed while it replaced them. */
import { join } from 'node:path';
import type { FileDeps } from './fileSystem';

/** @param newName makes a part of a name that nobody else uses; @param now in ms since 1970 */
export type DraftDeps = FileDeps & { newName: () => string; now: () => number };

const ENDING = '.new';
const DRAFT = /\.[0-9a-f]{12}\.new$/;

/** A draft is there for the time of one write to the disk; an older one was left by a crash. */
const CRASHED_MS = 60_000;

/** A new name for the draft of a file, in its folder. `newName` gives twelve hexadecimal digits. */
export const draftOf = ({ newName }: Pick<DraftDeps, 'newName'>, path: string): string =>
  `${path}.${newName()}${ENDING}`;

/** Removes the drafts that a crash left in a folder, if their names start with `beginning`. Never throws: what cannot be removed stays. */
export const dropOldDrafts = (deps: DraftDeps, folder: string, beginning = ''): void => {
  try {
    const drafts = deps.fs.readdirSync(folder).filter((name) => name.startsWith(beginning) && DRAFT.test(name));
    for (const name of drafts) dropIfOld(deps, join(folder, name));
  } catch {
    // they take a few bytes each, and whoever replaces a file next tries again
  }
};

const dropIfOld = ({ fs, now }: DraftDeps, path: string): void => {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() && now() - found.mtimeMs > CRASHED_MS) fs.rmSync(path, { force: true });
};
