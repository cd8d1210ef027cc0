/** What a patch does to files. */

/** The change to one file; `unified_diff` holds hunks without a file header. */
export type FileChange =
  | { add: { content: string } }
  | { delete: { content: string } }
  | { update: { unified_diff: string; move_path: string | null } };
/** Changes by absolute path. */
export type FileChanges = Record<string, FileChange>;
