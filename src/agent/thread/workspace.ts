/** Port: the machine and the folder that a thread works in. */
import type { TurnChanges } from '../../executor/patch/turnChanges';
import type { Config } from '../../settings/config';
import type { Awaitable } from '../../streams/awaitable';
import type { OwnFolders } from '../../threads/lines/rolloutEntry';
import type { ReadImage } from '../tools/builtInTools';
import type { ToolRow } from '../tools/tool';
import { CannotBegin } from '../turns/rejection';

/** Where a thread works: this machine, or an executor elsewhere. All paths are paths of that machine. */
export type Workspace = {
  /** Of the thread, with its folder there. */
  config: Config;
  /** The tools that need no server. What they may write to is decided when the workspace is opened. */
  builtIn: readonly ToolRow[];
  /** The folders that commands may write to. */
  writableRoots: () => readonly string[];
  /** Where its folders lead now, and led when the thread began to work in them. */
  folders: OwnFolders;
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

/** Where a thread worked. */
export type LastPlace = Pick<Workspace, 'environment' | 'folders'>;

/**
 * A workspace with the folders of before too. Throws CannotBegin if one of its own leads elsewhere than when the thread began to work there: a command of
 * another thread could have put a link in its place. A folder that was made again at its path is the same, if it does not belong to somebody else.
 */
export const inSameFolders = (last: LastPlace | undefined, workspace: Workspace): Workspace => {
  if (last === undefined || machineOf(last) !== machineOf(workspace)) return workspace;
  for (const [named, now] of Object.entries(workspace.folders)) {
    const before = last.folders[named];
    if (before !== undefined && before.path !== now.path)
      throw new CannotBegin(movedText(named, before.path, now.path));
    if (before?.owner !== undefined && now.owner && now.owner !== before.owner)
      throw new CannotBegin(theirsText(named));
  }
  return { ...workspace, folders: { ...last.folders, ...workspace.folders } };
};

/** A thread that came back from another machine names this one. */
const machineOf = ({ environment }: LastPlace): string =>
  environment === undefined || environment.id === 'local' ? '' : JSON.stringify([environment.id, environment.executor]);

const movedText = (named: string, before: string, now: string): string => {
  const led = before === named ? 'a link leads' : `it led to ${before}, and leads`;
  return `The folder ${named} is not the one in which this thread worked: ${led} to ${now} now. Put the folder back. Only if you know that the new one is right, name that by the argument cwd, or begin a new thread.`;
};

const theirsText = (named: string): string =>
  `The folder ${named} is not the one in which this thread worked: it belongs to another user now. Find out who made it, and continue the thread in another folder by the argument cwd.`;
