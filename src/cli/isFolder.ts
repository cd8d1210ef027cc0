/** Whether a path given on the command line is a folder. */
import { statSync } from 'node:fs';

/** Links are followed; false where nothing is there. */
export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
