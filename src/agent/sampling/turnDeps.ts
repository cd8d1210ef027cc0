/** What a turn of the native engine needs from its surroundings. */

import type { Log } from '../../protocol/log';
import type { Config } from '../../settings/config';
import type { Awaitable } from '../../streams/awaitable';
import type { History } from '../thread/history';
import type { ToolSet } from '../toolServers/toolServer';
import type { TurnPorts as QueuePorts } from '../turns/queueTurns';
import type { PromptHistory } from '../wiring/disk';
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
