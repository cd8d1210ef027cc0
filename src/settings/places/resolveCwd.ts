/** The working folder of a thread. */

import { resolve } from 'node:path';
import { reasonOf } from '../../streams/text/reasonOf';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';

const problemWith = (isDirectory: ConfigDeps['isDirectory'], path: string): string | undefined => {
  try {
    return isDirectory(path) ? undefined : 'is not an existing folder';
  } catch (error) {
    return `cannot be looked at: ${reasonOf(error)}`;
  }
};

/**
 * The absolute working folder of a thread: the argument `cwd`, relative to the server's own folder.
 * Throws ConfigError where it is not an existing folder.
 * Source: Codex 0.28.0, argument `cwd`; there a missing folder is accepted and every command fails later, a defect.
 */
export const resolveCwd =
  ({ cwd, isDirectory }: Pick<ConfigDeps, 'cwd' | 'isDirectory'>) =>
  (asked?: string): string => {
    const path = resolve(cwd, asked ?? '');
    const problem = problemWith(isDirectory, path);
    if (problem === undefined) return path;
    const where = asked === undefined ? "the server's working folder" : 'argument cwd';
    throw new ConfigError(`${where}: "${path}" ${problem}, expected the path of an existing folder`);
  };
