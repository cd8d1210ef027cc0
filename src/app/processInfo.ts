/** The facts of the process and of the command line that the daemon needs. */
import type { CallLimits } from '../config/deps';
import type { Speed } from '../replay/server/replayServer';
import type { TapeMatch } from '../tapeEngine/matchTurns';

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

/** Which engine runs the conversations; `auto` chooses by what is installed. */
export const ENGINES = ['auto', 'native', 'app-server', 'tape'] as const;
export type EngineName = (typeof ENGINES)[number];

/** How a tape is played as an engine: which file, how many times faster, and which prompts match. */
export type TapeSource = { path?: string; speed: Speed; match: TapeMatch };

/**
 * What the command line sets about engines. Times in milliseconds; `codex` is the path of an installed Codex; `unusedThreadMs` is how long
 * an unused thread stays in memory; `bareDiffPaths` is how the diff of a turn shows paths where there is no repository: relative to the
 * folder of the thread, unless it says otherwise. `statusTexts` is how the refusal of a model server is reported: short, unless it says
 * otherwise.
 */
export type EngineOptions = {
  engine: EngineName;
  codex?: string;
  tape: TapeSource;
  modelTimeoutMs: number;
  overrides: readonly string[];
  model?: string;
  profile?: string;
  turnTimeoutMs: number;
  unusedThreadMs?: number;
  bareDiffPaths?: 'relative' | 'absolute';
  statusTexts?: 'short' | 'whole';
  limits?: CallLimits;
};

/** Environment variable of the MCP servers that codex-rx starts. A codex-rx that finds it refuses to serve: the two would start each other without end. */
export const NESTED_VARIABLE = 'CODEX_RX_IS_TOOL';
