/** What a patch does to files. */

/** What becomes of one file; `unified_diff` holds hunks without a header of the file. */
export type FileChange =
  | { add: { content: string } }
  | { delete: { content: string } }
  | { update: { unified_diff: string; move_path: string | null } };
/** By absolute path. */
export type FileChanges = Record<string, FileChange>;
