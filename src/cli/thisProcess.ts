/** The facts of this process that the wiring needs. */
import { resolve } from 'node:path';
import { version } from '../../package.json';
import type { ProcessInfo } from '../io/processInfo';
import { lazy } from '../streams/lazy/lazy';
import { codexHomeOf, homeOf } from './homeOf';
import { startFolder } from './startFolder';
import { UsageError } from './usageError';

const system = lazy(() => require('node:os') as typeof import('node:os'));

/** What to do without a home folder. */
const HOMELESS =
  'This user has no home folder: HOME and CODEX_HOME are not set, and the system knows none. Set HOME, or set CODEX_HOME to a folder for the configuration';

/**
 * Throws UsageError if the user has no home folder.
 * @param cd the working folder, if it is not the one that the process was started in
 */
export const thisProcess = (cd?: string): ProcessInfo => {
  const { env, execPath, platform, arch } = process;
  const folder = startFolder(process);
  const home = homeOf({ env, platform, fromSystem: () => system().userInfo().homedir });
  const codexHome = codexHomeOf(env, { home, folder });
  if (codexHome === undefined) throw new UsageError(HOMELESS);
  return {
    env,
    cwd: resolve(folder, cd ?? ''),
    ...(home !== undefined && { home }),
    codexHome,
    dist: __dirname,
    node: execPath,
    platform,
    arch,
    version,
  };
};
