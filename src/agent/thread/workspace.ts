/** Port: the machine and the folder that a thread works in. */

import type { TurnChanges } from '../../executor/patch/turnChanges';
import type { Config } from '../../settings/config';
import type { Awaitable } from '../../streams/awaitable';
import type { ReadImage } from '../tools/builtInTools';
import type { ToolRow } from '../tools/tool';

/**
 * Where a thread works: this machine, or an executor elsewhere; every path is one of that machine. `config`: the thread's, with its folder there.
 * `builtIn`: the tools that need no server; what they may write to is decided when the workspace is opened. `writableRoots`: the folders that commands
 * may write to. `userInstructions` are those of AGENTS.md files. `turnDiff` shows changes as git would; '' where nothing differs. `readImage` reads an
 * image that the user sends by its path. `environment`: the name of the machine, and the executor of a pool that has the files; absent for this machine.
 * `facts`: what else a model is shown of that machine, by name.
 */
export type Workspace = {
  config: Config;
  builtIn: readonly ToolRow[];
  writableRoots: () => readonly string[];
  userInstructions: () => Awaitable<string | undefined>;
  turnDiff: (changes: TurnChanges) => string;
  readImage: ReadImage;
  environment?: { id: string; executor?: string };
  facts?: Readonly<Record<string, string>>;
};

/**
 * Opens the place where a thread with this configuration works. Errors with, or throws, CannotBegin where it cannot be reached or has no such folder.
 * @param last where the thread worked before: it stays with its files
 */
export type OpenWorkspace = (config: Config, last: Workspace['environment']) => Awaitable<Workspace>;

/** Whether two places are the same machine. What a person approved for the session applies to one machine only. */
export const isSameMachine = ({ environment: a }: Workspace, { environment: b }: Workspace): boolean =>
  a?.id === b?.id && a?.executor === b?.executor;
