/** Owns what the daemon must be told of its process and of its command line. */

/** Facts of the process that only cli may read. `codexHome` and `cwd` are absolute, `dist` is the folder of the program, `node` what runs it. */
export type Surroundings = {
  env: Record<string, string | undefined>;
  cwd: string;
  codexHome: string;
  dist: string;
  node: string;
  platform: string;
  arch: string;
  version: string;
};

/** Which engine runs the conversations; `auto` chooses by what is installed. */
export const ENGINES = ['auto', 'native', 'app-server'] as const;
export type EngineName = (typeof ENGINES)[number];

/** What the command line says about engines. Times in milliseconds; `codex` is the path of an installed Codex. */
export type EngineOptions = {
  engine: EngineName;
  codex?: string;
  modelTimeoutMs: number;
  overrides: readonly string[];
  model?: string;
  profile?: string;
  turnTimeoutMs: number;
};
