/** The files of this machine, for the check of repositories. */
import { readFileSync, realpathSync } from 'node:fs';
import type { RepositoryFiles } from '../../src/agent/safety/namesPrograms';

const tried = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

export const repositoryFiles: RepositoryFiles = {
  realpath: (path) => tried(() => realpathSync.native(path)),
  isPlain: () => true,
  readText: (path) => tried(() => readFileSync(path, 'utf8')),
  readBytes: (path) => tried(() => readFileSync(path)),
};
