/** What the command line sets about engines. */
import type { CallLimits } from '../settings/deps';
import type { Speed } from '../tapes/replayServer/replayServer';
import type { EngineName } from '../tapes/seams/ports';
import type { TapeMatch } from './tapeEngine/matchTurns';

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
