/** The folder that the process was started in. */
import { isAbsolute } from 'node:path';

/**
 * The working folder, even where it was deleted: then the path that the shell knew it by, else the root. Whatever needs
 * the folder itself fails with that path.
 */
export const startFolder = ({ cwd, env }: Pick<NodeJS.Process, 'cwd' | 'env'>): string => {
  try {
    return cwd();
  } catch {
    return env.PWD && isAbsolute(env.PWD) ? env.PWD : '/';
  }
};
