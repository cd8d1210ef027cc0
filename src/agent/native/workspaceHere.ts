/** The workspace of threads that work on this machine. */

import type { Backend } from '../../executor/backend';
import type { Log } from '../../protocol/log';
import type { Config } from '../../settings/config';
import { oncePerTask } from '../../streams/lazy';
import { userInstructions } from '../thread/userInstructions';
import type { Workspace } from '../thread/workspace';
import { builtInTools } from '../tools/builtInTools';
import type { Disk } from '../wiring/disk';
import { diskOf, type Wiring } from '../wiring/wiring';
import { toolDeps, turnDiffHere } from './nativeTools';

/** A file is read as a whole, so its length must not be up to the repository. */
const MOST_BYTES = 4_194_304;

/** The text of a regular file; one that cannot be read, or is too long, counts as missing, and is logged. */
const readDocument =
  ({ bytesOf, readIfThere }: Disk, log: Log) =>
  (path: string): string | undefined => {
    try {
      const bytes = bytesOf(path);
      if (bytes !== undefined && bytes > MOST_BYTES)
        throw new Error(`it has ${bytes} bytes; at most ${MOST_BYTES} are read`);
      return bytes === undefined ? undefined : readIfThere(path);
    } catch (error) {
      log('warning', 'instructions could not be read', { path, reason: (error as Error).message });
      return undefined;
    }
  };

/** Threads that are opened together share what they find. @param backend runs commands of the threads as they are */
export const workspaceHere = (wiring: Wiring, backend: Backend): ((config: Config) => Workspace) => {
  const { options, log, processInfo } = wiring;
  const deps = toolDeps(wiring, backend);
  const tools = builtInTools(deps);
  const disk = diskOf(wiring);
  const instructions = userInstructions({
    readFile: readDocument(disk, log),
    exists: disk.exists,
    realpath: (path) => (disk.exists(path) ? disk.realpath(path) : undefined),
    codexHome: processInfo.codexHome,
  });
  const task = { afterTask: queueMicrotask };
  const instructionsFor = oncePerTask(task, ({ cwd, projectDocMaxBytes }: Config) =>
    instructions(disk.realpath(cwd), projectDocMaxBytes),
  );
  return oncePerTask(task, (config: Config) => ({
    config,
    builtIn: tools(config),
    writableRoots: () => deps.openSandbox(config).writable,
    userInstructions: () => instructionsFor(config),
    turnDiff: (changes) => turnDiffHere(options)(config.cwd)(changes),
    readImage: deps.readImage,
  }));
};
