/** Whether a path names a program. */
import { accessSync, constants, statSync } from 'node:fs';

/** True for a file, or a link to one, that this user may run. */
export const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // whatever the reason: it cannot be run
  }
};
