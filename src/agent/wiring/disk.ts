/** What engines read of the files of this machine. */
import { readdirSync } from 'node:fs';
import { factsAt, isFolder, isThere, readIfThere, realPathOf } from '../../io/paths/look';
import type { PromptHistory } from '../turns/promptHistory';
import { readPromptHistory } from './readPromptHistory';

/**
 * `readIfThere`: the content of a file, undefined when there is none; it throws where it cannot be read. `namesIn`: the names in a folder, none where
 * it cannot be read. `bytesOf`: how long a regular file
 * is, undefined for all else; it and `isDirectory` look behind a link too. `realpath` leaves a path as it is where nothing is there.
 * `promptHistory` is that of a Codex home.
 */
export type Disk = {
  readIfThere: (path: string) => string | undefined;
  namesIn: (folder: string) => readonly string[];
  bytesOf: (path: string) => number | undefined;
  isDirectory: (path: string) => boolean;
  exists: (path: string) => boolean;
  realpath: (path: string) => string;
  promptHistory: (codexHome: string) => () => PromptHistory;
};

/** The content of a file, undefined also when it cannot be read. */
export const readIfPossible = (path: string): string | undefined => {
  try {
    return readIfThere(path);
  } catch {
    return undefined;
  }
};

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return []; // an error lists the names as a help
  }
};

const bytesOf = (path: string): number | undefined => {
  const facts = factsAt(path);
  return facts?.isFile() ? facts.size : undefined;
};

/** The files of this machine. */
export const DISK: Disk = {
  readIfThere,
  namesIn,
  bytesOf,
  isDirectory: isFolder,
  exists: isThere,
  realpath: (path) => realPathOf(path) ?? path,
  promptHistory: readPromptHistory,
};
