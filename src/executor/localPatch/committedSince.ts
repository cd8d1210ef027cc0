/** Whether somebody has committed what a patch left. */
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readRegular } from './readRegular';

/** What git writes at each commit, and for other changes of the branch. Source: gitrepository-layout(5), git-commit(1). */
const WRITTEN = ['logs/HEAD', 'COMMIT_EDITMSG'];

/** Whether a repository that holds one of these folders got a commit after a time, in ms since 1970. No git is run; what cannot be read counts as no. */
export const committedSince = async (folders: readonly string[], sinceMs: number): Promise<boolean> => {
  const repositories = new Set<string>();
  const seen = new Set<string>();
  for (const folder of folders) {
    for (let at = folder; !seen.has(at); at = dirname(at)) {
      seen.add(at);
      const found = await repositoryAt(at);
      if (found !== undefined) repositories.add(found);
    }
  }
  const times = [...repositories].flatMap((path) => WRITTEN.map((name) => writtenMs(join(path, name))));
  return (await Promise.all(times)).some((ms) => ms > sinceMs);
};

/** The file `.git` of a work tree holds one path. */
const MAX_BYTES = 65_536;

/** The folder of a repository, to which the file `.git` of a work tree leads. A command may have made a pipe of that name, or a link to a device. */
const repositoryAt = async (folder: string): Promise<string | undefined> => {
  const path = join(folder, '.git');
  try {
    if ((await stat(path)).isDirectory()) return path;
    const target = /^gitdir: (.+)$/m.exec(`${await readRegular(path, MAX_BYTES)}`)?.[1];
    return target === undefined ? undefined : resolve(folder, target);
  } catch {
    return undefined;
  }
};

const writtenMs = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
};
