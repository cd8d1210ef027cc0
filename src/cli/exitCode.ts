/** The exit codes of every command. */
export const exitCode = {
  /** All went well. */
  ok: 0,
  /** Something failed, or a check found a difference. */
  failed: 1,
  /** The command line, or the file it names, cannot be used. */
  unusable: 2,
} as const;
