/** Owns what the daemon must be told of its process and of its command line. */

/** Facts of the process that only cli may read. `codexHome` and `cwd` are absolute, `dist` is the folder of the program. */
export type Surroundings = {
  env: Record<string, string | undefined>;
  cwd: string;
  codexHome: string;
  dist: string;
  version: string;
};

/** What the command line says about engines. Times in milliseconds. */
export type EngineOptions = {
  overrides: readonly string[];
  model?: string;
  profile?: string;
  turnTimeoutMs: number;
};
