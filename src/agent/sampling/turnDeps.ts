/** What a turn of the native engine needs from its surroundings. */
import type { Config } from '../../config';
import type { Log } from '../../log';
import type { Awaitable } from '../../streams';
import type { ToolSet } from '../../toolServers';
import type { PromptHistory, TurnPorts as QueuePorts } from '../../turns';
import type { History } from '../thread';
import type { SampleDeps } from './sampleOnce';

/**
 * @param toolsOf what the MCP servers of a configuration offer; never errors
 * @param promptHistory what a new thread reports about Codex's file of prompts
 */
export type TurnDeps = SampleDeps & {
  toolsOf: (config: Config) => Awaitable<ToolSet>;
  promptHistory: () => PromptHistory;
  log: Log;
};

/** @param keep receives the history of the thread after each step; the next turn starts from the last one */
export type TurnPorts = QueuePorts & { keep: (history: History) => void };
