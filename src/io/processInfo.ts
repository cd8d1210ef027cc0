/** The facts of the process that the daemon needs. */

/**
 * Facts of the process that only cli may read. `home` is the home folder of the user, absolute, absent if there is none; `codexHome` and `cwd` are
 * absolute too, `dist` is the folder of the program, `node` what runs it.
 */
export type ProcessInfo = {
  env: Record<string, string | undefined>;
  cwd: string;
  home?: string;
  codexHome: string;
  dist: string;
  node: string;
  platform: string;
  arch: string;
  version: string;
};

/** Environment variable of the MCP servers that codex-rx starts. A codex-rx that finds it refuses to serve: the two would start each other without end. */
export const NESTED_VARIABLE = 'CODEX_RX_IS_TOOL';
