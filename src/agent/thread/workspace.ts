/** Port: the machine and the folder that a thread works in. */

import type { TurnChanges } from '../../executor/patch/turnChanges';
import type { Config } from '../../settings/config';
import type { Awaitable } from '../../streams/awaitable';
import type { ReadImage } from '../tools/builtInTools';
import type { ToolRow } from '../tools/tool';

/** Where a thread works: this machine, or an executor elsewhere. All paths are paths of that machine. */
export type Workspace = {
  /** Of the thread, with its folder there. */
  config: Config;
  /** The tools that need no server. What they may write to is decided when the workspace is opened. */
  builtIn: readonly ToolRow[];
  /** The folders that commands may write to. */
  writableRoots: () => readonly string[];
  /** The texts of AGENTS.md files. */
  userInstructions: () => Awaitable<string | undefined>;
  /** Shows changes as git would; '' if nothing differs. */
  turnDiff: (changes: TurnChanges) => string;
  /** Reads an image that the user sends by its path. */
  readImage: ReadImage;
  /** The name of the machine, and the executor of a pool that has the files; absent for this machine. */
  environment?: { id: string; executor?: string };
  /** What else a model is shown of that machine, by name. */
  facts?: Readonly<Record<string, string>>;
};

/**
 * Opens the place where a thread with this configuration works. Errors with, or throws, CannotBegin if it cannot be reached or has no such folder.
 * @param last where the thread worked before: it stays with its files
 */
export type OpenWorkspace = (config: Config, last: Workspace['environment']) => Awaitable<Workspace>;

/** True if two places are the same machine. What a person approved for the session applies to one machine only. */
export const isSameMachine = ({ environment: a }: Workspace, { environment: b }: Workspace): boolean =>
  a?.id === b?.id && a?.executor === b?.executor;
