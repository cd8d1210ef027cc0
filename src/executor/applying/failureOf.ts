/** The failures of changes to files, in the words of the original. Source: Codex 0.28.0, CORE 6.6. */
import type { FilePlan } from '../patch/plan';

/** The beginning of the message for a change that failed; the cause is added after it. */
export const failureOf = ({
  path,
  after,
  movedTo,
}: Pick<FilePlan, 'path' | 'movedTo'> & { after?: unknown }): string => {
  if (after !== undefined) return `Failed to write file ${path}`;
  return movedTo === undefined ? `Failed to delete file ${path}` : `Failed to remove original ${path}`;
};

/** The same for a folder above a file. */
export const folderFailure = ({ path }: FilePlan): string => `Failed to create parent directories for ${path}`;
