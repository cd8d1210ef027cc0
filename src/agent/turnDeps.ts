/** What a turn of the native engine needs of its surroundings. */
import type { Observable } from 'rxjs';
import type { Config } from '../config';
import type { Log } from '../log';
import type { TurnChanges } from '../patch';
import type { ToolSet } from '../toolServers';
import type { ReadImage } from '../tools';
import type { PromptHistory, TurnPorts as QueuePorts } from '../turns';
import type { History } from './history';
import type { SampleDeps } from './sampleOnce';

/**
 * @param userInstructions of AGENTS.md files, for a folder and at most so many bytes of a project
 * @param toolsOf emits once what the MCP servers of a configuration offer, and never errors
 * @param turnDiff shows the changes of a turn in a folder as git would; '' where nothing differs
 * @param writableRoots the folders that commands of a thread may write to
 * @param promptHistory what a new thread reports of Codex's file of prompts
 * @param readImage reads a picture that the user sends by its path
 */
export type TurnDeps = SampleDeps & {
  userInstructions: (cwd: string, maxBytes: number) => string | undefined;
  turnDiff: (cwd: string) => (changes: TurnChanges) => string;
  toolsOf: (config: Config) => Observable<ToolSet>;
  writableRoots: (config: Config) => readonly string[];
  promptHistory: () => PromptHistory;
  readImage: ReadImage;
  log: Log;
};

/** @param keep the history of the thread after each step, from which the next turn goes on */
export type TurnPorts = QueuePorts & { keep: (history: History) => void };
