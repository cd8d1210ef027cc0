/** What the command line sets about engines. */
import type { CallLimits } from '../settings/deps';
import type { Speed } from '../tapes/replayServer/replayServer';
import type { EngineName } from '../tapes/seams/ports';
import type { TapeMatch } from './tapeEngine/tapeEngine';

/** How a tape is played as an engine. */
type TapeSource = {
  path?: string;
  /** A multiple of the recorded pace. */
  speed: Speed;
  /** Which prompts match. */
  match: TapeMatch;
};

/** What the command line sets about engines. */
export type EngineOptions = {
  engine: EngineName;
  /** The path of an installed Codex. */
  codex?: string;
  tape: TapeSource;
  /** How long an installed Codex may try to reach its model. */
  modelTimeoutMs: number;
  /** Of the configuration, as `-c` gives them. */
  overrides: readonly string[];
  model?: string;
  profile?: string;
  turnTimeoutMs: number;
  /** How long an unused thread stays in memory. */
  unusedThreadMs?: number;
  /** How the diff of a turn shows paths if there is no repository; by default relative to the folder of the thread. */
  bareDiffPaths?: 'relative' | 'absolute';
  /** How the refusal of a model server is reported; short by default. */
  statusTexts?: 'short' | 'whole';
  limits?: CallLimits;
};
